// SPDX-License-Identifier: MIT
// Trainings of a few games: the same seed gives the same weights, however the work was cut up.
#include "train/trainers.h"

#include "base/clock.h"
#include "training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct heard {
    int lines;
};

static void hear(void *listener, const char *line) {
    (void)line;
    ((struct heard *)listener)->lines++;
}

static const struct trainer *reversi_trainer(void) {
    const struct trainer *t = trainers;
    while (strcmp(t->game, "reversi") != 0 || strcmp(t->part, "weights") != 0)
        t++;
    return t;
}

static struct training small_training(const char *folder, struct heard *heard) {
    struct training t = {.folder = folder,
                         .seed = 3,
                         .games = 30,
                         .generations = 2,
                         .threads = 1,
                         .say = hear,
                         .listener = heard};
    ruleset_init(&t.rules, game_find("reversi"));
    return t;
}

static void test_goes_on(void **state) {
    (void)state;
    char first[64], second[64];
    struct heard heard = {0};
    struct err err = {.set = false};
    make_folder(first);
    make_folder(second);
    const struct training whole = small_training(first, &heard);
    struct training parts = small_training(second, &heard);
    assert_true(reversi_trainer()->run(&whole, &err));
    assert_true(heard.lines > 15);
    // no time at all; then to the end with two threads; then again with parts gone
    parts.until_us = clock_now_us();
    assert_false(reversi_trainer()->run(&parts, &err));
    assert_false(err.set);
    parts.until_us = 0;
    parts.threads = 2;
    assert_true(reversi_trainer()->run(&parts, &err));
    assert_same_weights(&whole, &parts);
    remove_file(second, "weights-1.bin");
    remove_file(second, "games-1-0.bin");
    remove_file(second, "scores-1-7-0.bin");
    assert_true(reversi_trainer()->run(&parts, &err));
    assert_same_weights(&whole, &parts);
    remove_folder(first);
    remove_folder(second);
}

static void test_refuses_another_plan(void **state) {
    (void)state;
    char folder[64];
    struct heard heard = {0};
    struct err err = {.set = false};
    make_folder(folder);
    struct training t = small_training(folder, &heard);
    assert_true(train_begin(&t, "one plan", &err));
    assert_true(train_begin(&t, "one plan", &err));
    assert_false(train_begin(&t, "another plan", &err));
    assert_non_null(strstr(err.text, "holds another training"));
    remove_folder(folder);
}

// The rules and the seed are part of every plan.
static void test_refuses_other_rules(void **state) {
    (void)state;
    static const char *const set[][3] = {{"tower4", "pieces", "16"},
                                         {"tower4", "corners", "1"},
                                         {"hopchess", "max_moves", "50"},
                                         {"hopchess", "max_hops", "9"},
                                         {"reversi", "board", "othello"}};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        char folder[64], why[WHY_TEXT_MAX];
        struct heard heard = {0};
        struct err err = {.set = false};
        make_folder(folder);
        struct training t = small_training(folder, &heard);
        ruleset_init(&t.rules, game_find(set[i][0]));
        assert_true(train_begin(&t, "plan", &err));
        assert_true(train_note(&t, "other.txt", "plan", &err));
        assert_true(ruleset_set(&t.rules, set[i][1], set[i][2], why));
        assert_false(train_begin(&t, "plan", &err));
        assert_false(train_note(&t, "other.txt", "plan", &err));
        ruleset_init(&t.rules, game_find(set[i][0]));
        assert_true(train_begin(&t, "plan", &err));
        t.seed++;
        assert_false(train_begin(&t, "plan", &err));
        remove_folder(folder);
    }
}

static void test_nowhere_to_write(void **state) {
    (void)state;
    struct heard heard = {0};
    struct err err = {.set = false};
    struct training t = small_training("/dev/null/x", &heard);
    assert_false(reversi_trainer()->run(&t, &err));
    assert_true(err.set);
}

static void make_number(const void *maker, int number, struct buf *out) {
    (void)maker;
    buf_format(out, "%d,", number);
}

static void test_chunks_in_order(void **state) {
    (void)state;
    char folder[64];
    struct heard heard = {0};
    struct err err = {.set = false};
    struct buf out = {.data = NULL};
    const struct chunks chunks = {.name = "n", .count = 12, .make = make_number};
    make_folder(folder);
    struct training t = small_training(folder, &heard);
    t.threads = 3;
    assert_true(train_make(&t, &chunks, &err) && train_gather(&t, &chunks, &out, &err));
    assert_string_equal(out.data, "0,1,2,3,4,5,6,7,8,9,10,11,");
    buf_done(&out);
    remove_folder(folder);
}

// A file that was cut, emptied or changed is made again.
static void test_damaged_chunks(void **state) {
    (void)state;
    static const char *const damage[] = {"", "4", "44444444444444444444444444"};
    const struct chunks chunks = {.name = "n", .count = 6, .make = make_number};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char folder[64], path[128];
        struct heard heard = {0};
        struct err err = {.set = false};
        struct buf out = {.data = NULL};
        make_folder(folder);
        const struct training t = small_training(folder, &heard);
        assert_true(train_make(&t, &chunks, &err));
        snprintf(path, sizeof path, "%s/n-4.bin", folder);
        FILE *file = fopen(path, "w");
        fputs(damage[i], file);
        fclose(file);
        assert_false(train_gather(&t, &chunks, &out, &err));
        buf_clear(&out);
        err.set = false;
        assert_true(train_make(&t, &chunks, &err) && train_gather(&t, &chunks, &out, &err));
        assert_string_equal(out.data, "0,1,2,3,4,5,");
        buf_done(&out);
        remove_folder(folder);
    }
}

static void test_one_at_a_time(void **state) {
    (void)state;
    char folder[64];
    struct err err = {.set = false};
    make_folder(folder);
    const struct training t = {.folder = folder};
    const int first = train_lock(&t, &err);
    assert_true(first >= 0);
    assert_int_equal(train_lock(&t, &err), -1);
    assert_non_null(strstr(err.text, "another training is at work in "));
    close(first);
    err = (struct err){.set = false};
    const int second = train_lock(&t, &err);
    assert_true(second >= 0);
    close(second);
    remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_refuses_another_plan),
        cmocka_unit_test(test_refuses_other_rules),
        cmocka_unit_test(test_nowhere_to_write),
        cmocka_unit_test(test_chunks_in_order),
        cmocka_unit_test(test_damaged_chunks),
    };
    return cmocka_run_group_tests_name("train", tests, NULL, NULL);
}
