// SPDX-License-Identifier: MIT
// Names, origins, the key and rates (src/web/guard.h).
#include "web/guard.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct guard guard_on(int port, bool tls) {
    struct guard guard;
    struct err err = {.set = false};
    guard_init(&guard, port, tls);
    assert_true(guard_add_name(&guard, "judge.example", &err));
    return guard;
}

static void knows_its_names(void **unused) {
    (void)unused;
    const struct guard guard = guard_on(8080, false);
    static const char *const ours[] = {"localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080",
                                       "[::1]:8080", "judge.example:8080"};
    static const char *const others[] = {"",
                                         "localhost",
                                         "localhost:80",
                                         "localhost:80800",
                                         "localhost:8080.evil.example",
                                         "evil.example:8080",
                                         "localhost.evil.example:8080",
                                         "judge.examplex:8080",
                                         "127.0.0.1"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_true(guard_knows_host(&guard, ours[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(guard_knows_host(&guard, others[i]));
    const struct guard usual = guard_on(443, true);
    assert_true(guard_knows_host(&usual, "judge.example"));
    assert_true(guard_knows_host(&usual, "judge.example:443"));
}

static void knows_its_page(void **unused) {
    (void)unused;
    const struct guard guard = guard_on(8080, false), secure = guard_on(8080, true);
    assert_true(guard_knows_origin(&guard, "http://localhost:8080", "localhost:8080"));
    assert_false(guard_knows_origin(&guard, "http://localhost:8080", "127.0.0.1:8080"));
    assert_false(guard_knows_origin(&guard, "https://localhost:8080", "localhost:8080"));
    assert_false(guard_knows_origin(&guard, "http://evil.example", "evil.example"));
    assert_false(guard_knows_origin(&guard, "null", "localhost:8080"));
    assert_false(guard_knows_origin(&guard, "", "localhost:8080"));
    assert_true(guard_knows_origin(&secure, "https://localhost:8080", "localhost:8080"));
}

static void keeps_its_key(void **unused) {
    (void)unused;
    char folder[] = "/tmp/arbiter-guard-XXXXXX", path[64], key[KEY_TEXT_MAX];
    struct err err = {.set = false};
    struct guard guard = guard_on(1, false), again = guard_on(1, false);
    struct stat info;
    bool replaced;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/key", folder);
    assert_true(guard_load_key(&guard, path, &replaced, &err) && !replaced);
    assert_true(guard_load_key(&again, path, &replaced, &err) && !replaced);
    assert_string_equal(guard.key, again.key);
    assert_int_equal(strlen(guard.key), 40);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_true(guard_knows_key(&guard, again.key));
    snprintf(key, sizeof key, "%s", guard.key);
    key[39] = key[39] == '0' ? '1' : '0';
    assert_false(guard_knows_key(&guard, key));
    assert_false(guard_knows_key(&guard, ""));
    guard.key[0] = '\0';
    assert_false(guard_knows_key(&guard, "")); // a server without a key has no organiser
    unlink(path);
    rmdir(folder);
}

// A key that others could read is none; one that others have put there is not taken.
static void trusts_no_file_of_others(void **unused) {
    (void)unused;
    char folder[] = "/tmp/arbiter-guard-XXXXXX", path[64], other[64];
    struct err err = {.set = false};
    struct guard guard = guard_on(1, false), again = guard_on(1, false);
    struct stat info;
    bool replaced;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/key", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    assert_true(guard_load_key(&guard, path, &replaced, &err));
    for (mode_t mode = 0640; mode; mode = mode == 0640 ? 0604 : mode == 0604 ? 0602 : 0) {
        assert_int_equal(chmod(path, mode), 0);
        assert_true(guard_load_key(&again, path, &replaced, &err) && replaced);
        assert_string_not_equal(again.key, guard.key);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 0777, 0600);
    }
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    assert_false(guard_load_key(&again, path, &replaced, &err));
    assert_non_null(strstr(err.text, "it is a link"));
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    err.set = false;
    assert_false(guard_load_key(&again, path, &replaced, &err));
    assert_non_null(strstr(err.text, "no file"));
    rmdir(path);
    if (geteuid() == 0) {
        assert_int_equal(rename(other, path), 0);
        assert_int_equal(chown(path, 1, 1), 0);
        err.set = false;
        assert_false(guard_load_key(&again, path, &replaced, &err));
        assert_non_null(strstr(err.text, "another user"));
    }
    unlink(path);
    unlink(other);
    rmdir(folder);
}

static void finds_the_key_among_cookies(void **unused) {
    (void)unused;
    char key[KEY_TEXT_MAX];
    assert_true(guard_cookie("arbiter_key=abc", "arbiter_key", key));
    assert_string_equal(key, "abc");
    assert_true(guard_cookie("a=b; arbiter_key=def; c=d", "arbiter_key", key));
    assert_string_equal(key, "def");
    assert_false(guard_cookie("a=b; xarbiter_key=def", "arbiter_key", key));
    assert_false(guard_cookie("", "arbiter_key", key));
    assert_false(guard_cookie("arbiter_key=0123456789012345678901234567890123456789012345",
                              "arbiter_key", key));
}

static void slows_down_who_asks_often(void **unused) {
    (void)unused;
    struct rate rate = {.burst = 3, .per_second = 1};
    for (int i = 0; i < 3; i++)
        assert_true(rate_take(&rate, "10.0.0.1", 1000000));
    assert_false(rate_take(&rate, "10.0.0.1", 1000000));
    assert_true(rate_take(&rate, "10.0.0.2", 1000000));
    assert_true(rate_take(&rate, "10.0.0.1", 2100000));
    assert_false(rate_take(&rate, "10.0.0.1", 2200000));
    assert_true(rate_take(&rate, "10.0.0.1", 60000000));
}

// How many of so many requests are let through that addresses make in turn, all at one time.
static int taken_of(struct rate *rate, int addresses, int requests, int64_t now_us) {
    int taken = 0;
    for (int i = 0; i < requests; i++) {
        char text[32];
        snprintf(text, sizeof text, "127.0.%d.%d", i % addresses / 250, 1 + i % addresses % 250);
        taken += rate_take(rate, text, now_us);
    }
    return taken;
}

static void many_addresses_gain_nothing_by_it(void **unused) {
    (void)unused;
    const int64_t now_us = 1000000;
    struct rate rate = {.burst = 20, .per_second = 1};
    assert_int_equal(taken_of(&rate, 2, 400, now_us), 40);
    rate = (struct rate){.burst = 20, .per_second = 1};
    assert_int_equal(taken_of(&rate, RATE_PLACES, 30 * RATE_PLACES, now_us), 20 * RATE_PLACES);
    rate = (struct rate){.burst = 20, .per_second = 1};
    assert_int_equal(taken_of(&rate, 3 * RATE_PLACES, 90 * RATE_PLACES, now_us), 20 * RATE_PLACES);
    assert_int_equal(taken_of(&rate, 3 * RATE_PLACES, 90 * RATE_PLACES, now_us + 2000000),
                     2 * RATE_PLACES);
}

// The two of which each gave the other what it had spent.
static void two_addresses_have_two_rates(void **unused) {
    (void)unused;
    struct rate rate = {.burst = 20, .per_second = 1};
    int taken = 0;
    for (int i = 0; i < 400; i++)
        taken += rate_take(&rate, i % 2 ? "127.0.0.19" : "127.0.0.41", 1000000);
    assert_int_equal(taken, 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_its_names),
        cmocka_unit_test(knows_its_page),
        cmocka_unit_test(keeps_its_key),
        cmocka_unit_test(trusts_no_file_of_others),
        cmocka_unit_test(finds_the_key_among_cookies),
        cmocka_unit_test(slows_down_who_asks_often),
        cmocka_unit_test(two_addresses_have_two_rates),
        cmocka_unit_test(many_addresses_gain_nothing_by_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
