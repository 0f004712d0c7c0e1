// SPDX-License-Identifier: MIT
// What the general player learns of a game depends on the seed and the games alone: a training in
// two parts ends where one in one part does. What a folder of a training holds is checked.
#include "train/trainers.h"

#include "base/clock.h"
#include "training.h"

#include <stdio.h>
#include <string.h>

enum { GAMES = 24 };

// Of what a training says: the last line, the best share of points with weights in the trial at
// the end, and whether it says that it plays without them.
static char last[256];
static double best;
static bool is_without;

static void hear(void *listener, const char *line) {
    double points;
    int most;
    (void)listener;
    snprintf(last, sizeof last, "%s", line);
    is_without |= strstr(line, "plays better without the weights") != NULL;
    if (sscanf(line, "with %*d %% by chance: %lf of %d", &points, &most) == 2 && most > 0)
        best = points / most > best ? points / most : best;
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
    best = -1;
    is_without = false;
    const bool done = general_train(&t, err);
    assert_true(best < 0 || is_without == (best < 0.5));
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

// Of a state that is gone, or older than it, the curve keeps what still holds.
static void test_curve_is_of_the_state(void **state) {
    (void)state;
    static const char curve[] = "1 games, as before\n2 games\n4 games, lost\n";
    char folder[64];
    struct buf bytes = {.data = NULL};
    struct err err = {.set = false};
    make_folder(folder);
    const struct training t = {.folder = folder};
    assert_true(run(folder, 2, &bytes, &err));
    assert_true(train_save(&t, "curve.txt", curve, strlen(curve), &err));
    assert_true(run(folder, 2, &bytes, &err));
    buf_clear(&bytes);
    assert_true(train_load(&t, "curve.txt", &bytes, &err));
    assert_int_equal(bytes.length, strstr(curve, "4 games") - curve);
    remove_file(folder, "state.bin");
    assert_true(run(folder, 2, &bytes, &err));
    buf_clear(&bytes);
    assert_true(train_load(&t, "curve.txt", &bytes, &err));
    assert_int_equal(bytes.length, 0);
    remove_folder(folder);
    buf_done(&bytes);
}

// Saves that state, of `size` bytes, and sees it refused.
static void refuse(const char *folder, const void *bytes, size_t size) {
    const struct training t = {.folder = folder};
    struct buf unused = {.data = NULL};
    struct err err = {.set = false};
    assert_true(train_save(&t, "state.bin", bytes, size, &err));
    assert_false(run(folder, 4, &unused, &err));
    assert_non_null(strstr(err.text, "state.bin is damaged"));
    assert_non_null(strstr(err.text, "remove it to begin anew"));
    buf_done(&unused);
}

// Cut, or with another number in it: of games first, then the error, then weights.
static void test_refuses_what_is_damaged(void **state) {
    (void)state;
    enum { SEAL = 16 };
    char folder[64];
    struct buf bytes = {.data = NULL};
    struct err err = {.set = false};
    const int64_t games[] = {-5, INT64_C(1) << 62};
    make_folder(folder);
    assert_true(run(folder, 2, &bytes, &err));
    refuse(folder, bytes.data, bytes.length - 1);
    refuse(folder, bytes.data, bytes.length - SEAL); // as before there was a seal
    refuse(folder, bytes.data, 0);
    for (int i = 0; i < 2; i++) {
        memcpy(bytes.data, &games[i], sizeof games[i]);
        refuse(folder, bytes.data, bytes.length);
    }
    const int64_t right = 2;
    memcpy(bytes.data, &right, sizeof right);
    memset(bytes.data + 24, 0xff, 4); // no number
    refuse(folder, bytes.data, bytes.length);
    remove_folder(folder);
    buf_done(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_curve_is_of_the_state),
        cmocka_unit_test(test_refuses_what_is_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
