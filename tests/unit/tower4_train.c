// SPDX-License-Identifier: MIT
// Trainings of tower4 with a few games: the same seed gives the same weights, however the work was
// cut up; and the trainers that only measure.
#include "train/tower4/duel.h"
#include "train/trainers.h"
#include "training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { TRAINING_GAMES = 8 }; // it is slow there
#else
enum { TRAINING_GAMES = 24 };
#endif

struct heard {
    int with, against;
};

static void hear(void *listener, const char *line) {
    struct heard *heard = listener;
    heard->with += strncmp(line, "with ", 5) == 0;
    heard->against += strncmp(line, "generation 1 against 0: ", 24) == 0;
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
    ruleset_init(&t.rules, game_find("tower4"));
    return t;
}

static void test_goes_on(void **unused) {
    (void)unused;
    char first[64], second[64];
    struct heard heard = {0, 0};
    struct err err = {.set = false};
    const struct training whole = small_training(first, &heard);
    struct training parts = small_training(second, &heard);
    assert_true(tower4_train(&whole, &err));
    parts.until_us = 1;
    assert_false(tower4_train(&parts, &err));
    assert_false(err.set);
    parts.until_us = 0;
    parts.threads = 2;
    assert_true(tower4_train(&parts, &err));
    assert_same_weights(&whole, &parts);
    remove_file(second, "weights-1.bin");
    remove_file(second, "games-1-0.bin");
    assert_true(tower4_train(&parts, &err));
    assert_same_weights(&whole, &parts);
    remove_folder(first);
    remove_folder(second);
}

static void test_measures(void **unused) {
    (void)unused;
    char folder[64];
    struct heard heard = {0, 0};
    struct err err = {.set = false};
    struct training t = small_training(folder, &heard);
    t.games = 2;
    t.nodes = 300;
    assert_true(tower4_ablation(&t, &err));
    assert_int_equal(heard.with, TECHNIQUES);
    remove_file(folder, "plan.txt");
    assert_true(tower4_train(&t, &err) && tower4_curve(&t, &err));
    assert_int_equal(heard.against, 1);
    // what was played with another seed is not taken for this
    t.seed++;
    assert_false(tower4_curve(&t, &err));
    assert_int_equal(heard.against, 1);
    remove_folder(folder);
}

static void test_no_curve_of_nothing(void **unused) {
    (void)unused;
    char folder[64];
    struct heard heard = {0, 0};
    struct err err = {.set = false};
    const struct training t = small_training(folder, &heard);
    assert_false(tower4_curve(&t, &err));
    assert_non_null(strstr(err.text, "holds no weights-0.bin"));
    remove_folder(folder);
}

// A duel in two parts is the same duel.
static void assert_parts_add_up(const struct duel *duel, const struct duel_tally *whole) {
    struct duel part = *duel;
    struct duel_tally sum = {.won = 0}, tally;
    for (part.first = 0; part.first < duel->pairs; part.first += part.pairs) {
        part.pairs = part.first == 0 ? 1 : duel->pairs - 1;
        duel_play(&part, &tally);
        tally_add(&sum, &tally);
    }
    assert_int_equal(sum.won, whole->won);
    assert_int_equal(sum.lost, whole->lost);
    assert_memory_equal(sum.depths, whole->depths, sizeof sum.depths);
    assert_memory_equal(sum.nodes, whole->nodes, sizeof sum.nodes);
    assert_memory_equal(&sum.margins, &whole->margins, sizeof sum.margins);
}

// A player against himself wins as much as he loses, and with more than nothing to look at against
// nothing he wins.
static void test_duels(void **unused) {
    (void)unused;
    struct ruleset rules;
    struct lattice lattice;
    struct duel_tally tally;
    struct tower_weights *none = calloc(1, sizeof *none);
    ruleset_init(&rules, game_find("tower4"));
    lattice_init(&lattice, &rules);
    const struct net *net = tower_net_find(&rules);
    struct net *blank = tower_net_of(none);
    struct duel duel = {.lattice = &lattice,
                        .rival = {{.net = net}, {.net = net}},
                        .seed = 1,
                        .nodes = 300,
                        .pairs = 3};
    duel_play(&duel, &tally);
    assert_int_equal(tally.won, tally.lost);
    assert_int_equal(tally.won + tally.drawn + tally.lost, 6);
    duel.rival[1].net = blank;
    duel_play(&duel, &tally);
    assert_true(tally.won >= 5 && tally.margins.sum > 0);
    assert_parts_add_up(&duel, &tally);
    free(none);
    free(blank);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_no_curve_of_nothing),
        cmocka_unit_test(test_duels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
