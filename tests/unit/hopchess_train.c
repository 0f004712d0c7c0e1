// SPDX-License-Identifier: MIT
// A training of hopchess of a few games: the same seed gives the same weights, however the work was
// cut up, and they are weights that the engine reads.
#include "train/trainers.h"

#include "base/clock.h"
#include "check.h"
#include "engine/hopchess/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void hear(void *listener, const char *line) {
    (void)line;
    ++*(int *)listener;
}

static struct training small_training(char folder[static 64], int *lines) {
    struct training t = {
        .folder = folder, .seed = 3, .games = 12, .generations = 2, .threads = 1, .say = hear};
    t.listener = lines;
    snprintf(folder, 64, "/tmp/arbiter-train-XXXXXX");
    assert_non_null(mkdtemp(folder));
    ruleset_init(&t.rules, game_find("hopchess"));
    return t;
}

static void remove_folder(const char *folder) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void test_goes_on(void **unused) {
    (void)unused;
    char folders[2][64];
    int lines = 0;
    struct err err = {.set = false};
    struct training whole = small_training(folders[0], &lines),
                    parts = small_training(folders[1], &lines);
    assert_true(hopchess_train(&whole, &err));
    parts.until_us = clock_now_us() - 1; // no time at all: nothing is made
    assert_false(hopchess_train(&parts, &err));
    assert_false(err.set);
    parts.until_us = 0;
    parts.generations = 1;
    assert_true(hopchess_train(&parts, &err));
    assert_false(train_has(&parts, "weights-1.bin"));
    parts.generations = 2;
    parts.threads = 2;
    assert_true(hopchess_train(&parts, &err));

    struct buf x = {.data = NULL}, y = {.data = NULL};
    struct hopnet net;
    assert_true(train_load(&whole, "weights-1.bin", &x, &err));
    assert_true(train_load(&parts, "weights-1.bin", &y, &err));
    assert_int_equal(x.length, y.length);
    assert_memory_equal(x.data, y.data, x.length);
    assert_true(hopnet_read(x.data, x.length, &net, &err));
    assert_true(lines > 0);
    buf_done(&x);
    buf_done(&y);
    remove_folder(folders[0]);
    remove_folder(folders[1]);
}

// Weights that are there are what the first generation plays with, and part of the plan.
static void test_begins_with_weights(void **unused) {
    (void)unused;
    char folders[2][64], path[128], other[128];
    int lines = 0;
    struct err err = {.set = false};
    struct buf plan = {.data = NULL}, x = {.data = NULL}, y = {.data = NULL};
    struct training first = small_training(folders[0], &lines),
                    next = small_training(folders[1], &lines);
    assert_true(hopchess_train(&first, &err));
    snprintf(path, sizeof path, "%s/weights-1.bin", folders[0]);
    snprintf(other, sizeof other, "%s/weights-0.bin", folders[1]);
    next.from = path;
    next.nodes = 50;
    next.generations = 1;
    assert_true(hopchess_train(&next, &err));
    assert_true(train_load(&next, "plan.txt", &plan, &err));
    assert_non_null(strstr(plan.data, "12 games, 50 nodes a move, from weights "));
    assert_true(train_load(&first, "weights-0.bin", &x, &err));
    assert_true(train_load(&next, "weights-0.bin", &y, &err));
    assert_true(x.length != y.length || memcmp(x.data, y.data, x.length) != 0);
    next.from = other;
    assert_false(hopchess_train(&next, &err));
    assert_non_null(strstr(err.text, "holds another training"));
    err.set = false;
    next.from = "/no/such/weights";
    assert_false(hopchess_train(&next, &err));
    assert_non_null(strstr(err.text, "/no/such/weights"));
    buf_done(&plan);
    buf_done(&x);
    buf_done(&y);
    remove_folder(folders[0]);
    remove_folder(folders[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_goes_on),
                                       cmocka_unit_test(test_begins_with_weights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
