// SPDX-License-Identifier: MIT
// A contest run from a loop of our own: paused, continued, watched move by move.
#include "contest/runner.h"

#include "base/clock.h"
#include "check.h"
#include "contest/bundle.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "game = \"cuptactoe\"; games = 2;\nplayers = ( {name=\"a\"; start=\"random\";},"
    " {name=\"b\"; start=\"random\";}, {name=\"c\"; start=\"random\";} );";

#define PATIENCE_US 3600000000 // with what hangs

struct fixture {
    char folder[40], path[60];
    struct plan *plan;
    struct store *store;
    struct runner *runner;
    int began, ended, moves, changes, records;
};

static void began(void *owner, const struct stored_game *game) {
    struct fixture *f = owner;
    assert_in_range(game->number, 1, 6);
    f->began++;
}

static void moved(void *owner, int64_t number, int ply, const char *words) {
    struct fixture *f = owner;
    assert_in_range(number, 1, 6);
    assert_in_range(ply, 1, 30);
    assert_true(strlen(words) >= 3);
    f->moves++;
}

static void ended(void *owner, const struct stored_game *game) {
    struct fixture *f = owner;
    f->ended++;
    f->records += strstr(game->record, "\"moves\"") != NULL;
}

static void changed(void *owner, const struct state *state) {
    struct fixture *f = owner;
    assert_int_equal(state->stages[0].field.count, 3);
    f->changes++;
}

static void note(void *owner, const char *words) {
    (void)owner;
    fail_msg("%s", words);
}

static const struct dispatch_events events = {
    .began = began, .moved = moved, .ended = ended, .changed = changed, .note = note};

static struct fixture *begin(void) {
    struct fixture *f = calloc(1, sizeof *f);
    struct err err = {.set = false};
    const struct dispatch_options options = {
        .jobs = 2, .cores = 1, .lease_us = 30000000, .program = getenv("ARBITER"), .live = true};
    strcpy(f->folder, "/tmp/arbiter-test-XXXXXX");
    assert_non_null(options.program);
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/store.db", f->folder);
    f->plan = plan_read("some.conf", text, &err);
    f->store = store_open(f->path, &err);
    f->runner = runner_new(f->plan, f->store, &options, &events, f, &err);
    if (!f->runner)
        fail_msg("%s", err.text);
    return f;
}

static void finish(struct fixture *f) {
    struct err err = {.set = false};
    runner_free(f->runner);
    store_close(f->store);
    plan_free(f->plan);
    assert_true(bundle_remove(f->folder, &err));
    free(f);
}

// Works until so many games have ended, or a time has passed.
static void work(struct fixture *f, int games_ended, int64_t limit_us) {
    struct err err = {.set = false};
    const int64_t until = clock_now_us() + limit_us;
    while (f->ended < games_ended && !runner_is_over(f->runner) && clock_now_us() < until) {
        struct pollfd fd = {.fd = runner_fd(f->runner), .events = POLLIN};
        if (!runner_work(f->runner, &err))
            fail_msg("%s", err.text);
        poll(&fd, 1, 100);
    }
}

static void test_events(void **unused) {
    (void)unused;
    struct fixture *f = begin();
    work(f, 100, PATIENCE_US);
    assert_true(runner_is_over(f->runner));
    assert_int_equal(f->began, 6);
    assert_int_equal(f->ended, 6);
    assert_int_equal(f->records, 6);
    assert_true(f->changes >= 2);
    int plies = 0;
    const struct state *state = runner_state(f->runner);
    for (int i = 0; i < state->game_count; i++)
        plies += state->games[i].plies;
    assert_int_equal(f->moves, plies);
    assert_int_equal(runner_times(f->runner).games, 6);
    finish(f);
}

static void test_pause_and_continue(void **unused) {
    (void)unused;
    struct fixture *f = begin();
    work(f, 1, PATIENCE_US);
    runner_pause(f->runner, true);
    work(f, f->began, PATIENCE_US); // those under way are finished
    const int before = f->began;
    assert_int_equal(f->ended, before);
    assert_true(before < 6);
    work(f, 100, 1000000);
    assert_int_equal(f->began, before);
    runner_pause(f->runner, false);
    work(f, 100, PATIENCE_US);
    assert_true(runner_is_over(f->runner));
    assert_int_equal(f->ended, 6);
    finish(f);
}

// What is under way when it ends is given back, and played by the next.
static void test_broken_off_and_continued(void **unused) {
    (void)unused;
    struct fixture *f = begin();
    struct err err = {.set = false};
    assert_true(runner_work(f->runner, &err));
    assert_int_equal(f->began, 2);
    const struct dispatch_options options = {
        .jobs = 1, .cores = 1, .lease_us = 30000000, .program = getenv("ARBITER")};
    runner_free(f->runner);
    f->runner = runner_new(f->plan, f->store, &options, &events, f, &err);
    assert_non_null(f->runner);
    assert_int_equal(runner_state(f->runner)->counts[GAME_WAITING], 6);
    work(f, 100, PATIENCE_US);
    assert_true(runner_is_over(f->runner));
    assert_int_equal(f->ended, 6);
    int twice = 0;
    for (int i = 0; i < 6; i++)
        twice += runner_state(f->runner)->games[i].tries == 2;
    assert_int_equal(twice, 2);
    finish(f);
}

// A worker plays for as many contests as there are.
static void test_many_contests(void **unused) {
    (void)unused;
    enum { MANY = 100 };
    struct fixture *f = begin();
    struct err err = {.set = false};
    const struct dispatch_options options = {.jobs = 1, .cores = 1, .lease_us = 30000000};
    static const struct dispatch_events quiet = {.note = note};
    struct plan *plans[MANY];
    struct dispatch *dispatch = dispatch_new(f->store, &options, &quiet, f, &err);
    for (int i = 0; i < MANY; i++) {
        char name[20];
        bool same;
        snprintf(name, sizeof name, "contest %d", i);
        plans[i] = plan_read(name, text, &err);
        if (!store_begin(f->store, name, text, &same, &err) ||
            !dispatch_add(dispatch, plans[i], &err))
            fail_msg("%s", err.text);
    }
    dispatch_free(dispatch);
    for (int i = 0; i < MANY; i++)
        plan_free(plans[i]);
    finish(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_pause_and_continue),
        cmocka_unit_test(test_broken_off_and_continued),
        cmocka_unit_test(test_many_contests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
