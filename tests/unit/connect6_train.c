// SPDX-License-Identifier: MIT
// Trainings of connect6 with a few games: the same seed gives the same weights, however the work
// was cut up, and what is learned is nearer to the games than nothing is.
#include "train/trainers.h"
#include "training.h"

#include "engine/connect6/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { TRAINING_GAMES = 2 }; // it is slow there
#else
enum { TRAINING_GAMES = 6 };
#endif

struct heard {
    double first, last; // losses of the first pass, and of the last
};

static void hear(void *listener, const char *line) {
    struct heard *heard = listener;
    double loss;
    if (sscanf(line, "generation %*d, pass %*d: loss %lf", &loss) != 1)
        return;
    heard->first = heard->first > 0 ? heard->first : loss;
    heard->last = loss;
}

static struct training small_training(char folder[static 64], struct heard *heard) {
    struct training t = {.folder = folder,
                         .seed = 3,
                         .games = TRAINING_GAMES,
                         .generations = 2,
                         .threads = 1,
                         .say = hear,
                         .listener = heard};
    make_folder(folder);
    ruleset_init(&t.rules, game_find("connect6"));
    return t;
}

static void test_goes_on(void **unused) {
    (void)unused;
    char first[64], second[64];
    struct heard heard = {0, 0};
    struct err err = {.set = false};
    const struct training whole = small_training(first, &heard);
    struct training parts = small_training(second, &heard);
    assert_true(connect6_train(&whole, &err));
    assert_true(heard.last < heard.first);
    parts.until_us = 1;
    assert_false(connect6_train(&parts, &err));
    assert_false(err.set);
    parts.until_us = 0;
    parts.threads = 2;
    assert_true(connect6_train(&parts, &err));
    assert_same_weights(&whole, &parts);
    remove_file(second, "weights-1.bin");
    remove_file(second, "games-1-0.bin");
    assert_true(connect6_train(&parts, &err));
    assert_same_weights(&whole, &parts);
    remove_folder(first);
    remove_folder(second);
}

// Stones and blocks are drawn on the board there is.
static void test_small_board(void **unused) {
    (void)unused;
    char folder[64], why[WHY_TEXT_MAX];
    struct heard heard = {0, 0};
    struct err err = {.set = false};
    struct training t = small_training(folder, &heard);
    assert_true(ruleset_set(&t.rules, "size", "6", why));
    t.generations = 1;
    assert_true(connect6_train(&t, &err));
    assert_true(heard.last > 0);
    remove_folder(folder);
}

// Weights of another shape are refused in words.
static void test_refuses_other_weights(void **unused) {
    (void)unused;
    struct net6_weights *weights = calloc(1, sizeof *weights);
    struct err err = {.set = false};
    assert_false(net6_read("connect6, circles\n", 18, weights, &err));
    assert_true(err.set);
    free(weights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_small_board),
        cmocka_unit_test(test_refuses_other_weights),
    };
    return cmocka_run_group_tests_name("connect6_train", tests, NULL, NULL);
}
