// SPDX-License-Identifier: MIT
// What the general player learns of a game depends on the seed and the games alone: a training in
// two parts ends where one in one part does. What a folder of a training holds is checked.
#include "train/trainers.h"

#include "base/clock.h"
#include "training.h"

#include <stdio.h>
#include <string.h>

enum { GAMES = 24 };

static char last[256];

static void hear(void *listener, const char *line) {
    (void)listener;
    snprintf(last, sizeof last, "%s", line);
}

// Time enough for the games, and for one round of trials behind them.
static bool run(const char *folder, int64_t games, struct buf *learned, struct err *err) {
    struct training t = {.folder = folder,
                         .sum = "0123456789abcdef",
                         .seed = 3,
                         .games = games,
                         .threads = 1,
                         .until_us = clock_now_us() + 2000000,
                         .say = hear};
    ruleset_init(&t.rules, game_find("cuptactoe"));
    const bool done = general_train(&t, err);
    buf_clear(learned);
    return done && train_load(&t, "state.bin", learned, err);
}

static void test_goes_on(void **state) {
    (void)state;
    char first[64], second[64];
    struct buf whole = {.data = NULL}, parts = {.data = NULL};
    struct err err = {.set = false};
    make_folder(first);
    make_folder(second);
    assert_true(run(first, GAMES, &whole, &err));
    assert_true(run(second, GAMES / 2, &parts, &err));
    assert_true(run(second, GAMES, &parts, &err));
    assert_int_equal(whole.length, parts.length);
    assert_memory_equal(whole.data, parts.data, whole.length);
    assert_non_null(strstr(last, "24 games"));
    remove_folder(first);
    remove_folder(second);
    buf_done(&whole);
    buf_done(&parts);
}

static void test_refuses_what_is_damaged(void **state) {
    (void)state;
    char folder[64];
    struct buf bytes = {.data = NULL};
    struct err err = {.set = false};
    make_folder(folder);
    assert_true(run(folder, 2, &bytes, &err));
    const struct training t = {.folder = folder};
    assert_true(train_save(&t, "state.bin", bytes.data, bytes.length - 1, &err));
    assert_false(run(folder, 4, &bytes, &err));
    assert_non_null(strstr(err.text, "state.bin is damaged: remove it to begin anew"));
    remove_folder(folder);
    buf_done(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_refuses_what_is_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
