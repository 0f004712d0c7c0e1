// SPDX-License-Identifier: MIT
// What the engine promises: limits, repeatable answers, legal lines, one move alone.
#include "check.h"

#include "base/clock.h"
#include "engine/engine.h"
#include "reversi.h"

#include <string.h>

enum { NODES = 20000, SLACK = 2000 };

static struct brain *new_brain(const struct ruleset *rules, int threads) {
    struct brain *brain = brain_new(rules, LEVEL_STRONG, threads, 1);
    assert_non_null(brain);
    return brain;
}

// The line can be played.
static void assert_legal(const struct ruleset *rules, const union game_state *state,
                         const struct thought *t) {
    union game_state at = *state;
    assert_true(t->length >= 1);
    for (int i = 0; i < t->length; i++)
        assert_null(game_play(rules->game, &at, t->pv[i]));
}

static void assert_same(const struct thought *a, const struct thought *b) {
    assert_int_equal(a->value, b->value);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->exact, b->exact);
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->pv, b->pv, (size_t)a->length * sizeof *a->pv);
}

// Whatever was thought before, the same nodes give the same answer.
static void test_repeats_by_nodes(void **unused) {
    (void)unused;
    for (int k = 0; k < BOARD_KINDS; k++) {
        const struct ruleset rules = test_reversi(k);
        struct brain *one = new_brain(&rules, 1), *other = new_brain(&rules, 1);
        struct rng rng = {5};
        for (int empties = 10; empties < 55; empties += 7) {
            union game_state state;
            struct thought a, b;
            test_endgame(&rules, empties, &rng, &state);
            brain_think(one, &state, &(struct limits){.time_us = 20000}, &a);
            brain_think(one, &state, &(struct limits){.nodes = NODES}, &a);
            brain_think(other, &state, &(struct limits){.nodes = NODES}, &b);
            assert_same(&a, &b);
            assert_legal(&rules, &state, &a);
            assert_true(a.nodes < NODES + SLACK);
        }
        brain_free(one);
        brain_free(other);
    }
}

// A small limit counts too, once there is an answer: a search of one ply.
static void test_small_limits_count(void **unused) {
    (void)unused;
    const struct ruleset rules = test_reversi(BOARD_OPEN);
    struct brain *brain = new_brain(&rules, 1);
    struct rng rng = {6};
    union game_state state;
    struct thought least, some;
    test_endgame(&rules, 50, &rng, &state);
    brain_think(brain, &state, &(struct limits){.nodes = 1}, &least);
    brain_think(brain, &state, &(struct limits){.nodes = 1500}, &some);
    assert_int_equal(least.depth, 1);
    assert_true(least.nodes < 1000);
    assert_true(some.nodes > least.nodes && some.nodes < 2500);
    brain_free(brain);
}

static void test_keeps_the_time(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= 2; threads++) {
        const struct ruleset rules = test_reversi(BOARD_OPEN);
        struct brain *brain = new_brain(&rules, threads);
        struct rng rng = {6};
        for (int empties = 58; empties > 25; empties -= 8) {
            union game_state state;
            struct thought t;
            test_endgame(&rules, empties, &rng, &state);
            const int64_t begin = clock_cpu_us();
            brain_think(brain, &state, &(struct limits){.time_us = 50000}, &t);
            // Far more than it may use: a busy machine must not decide this, only a search that
            // runs on.
            assert_true(clock_cpu_us() - begin < threads * 1000000);
            assert_legal(&rules, &state, &t);
        }
        brain_free(brain);
    }
}

// The best of the values of all moves is the value; each is what brute force says.
static void test_weighs_each_move(void **unused) {
    (void)unused;
    for (int k = 0; k < BOARD_KINDS; k++) {
        const struct ruleset rules = test_reversi(k);
        const struct game *game = rules.game;
        struct brain *brain = new_brain(&rules, 1);
        struct rng rng = {7};
        for (int i = 0; i < 20; i++) {
            union game_state state;
            struct thought all, t;
            int best = -100;
            test_endgame(&rules, 6, &rng, &state);
            brain_think(brain, &state, &(struct limits){0}, &all);
            for (int m = 0; m < game->count(&state); m++) {
                union game_state next = state;
                brain_weigh(brain, &state, game->nth(&state, m), &(struct limits){0}, &t);
                game->apply(&next, game->nth(&state, m));
                assert_true(t.exact);
                assert_int_equal(t.pv[0], game->nth(&state, m));
                assert_int_equal(t.value, test_brute_force(game, &next, game->turn(&state)));
                best = t.value > best ? t.value : best;
            }
            assert_true(all.exact);
            assert_int_equal(all.value, best);
        }
        brain_free(brain);
    }
}

// A mind that has thought of one move alone does not take that for the position's value.
static void test_one_move_is_not_all(void **unused) {
    (void)unused;
    const struct ruleset rules = test_reversi(BOARD_OTHELLO);
    const struct game *game = rules.game;
    struct brain *brain = new_brain(&rules, 1), *fresh = new_brain(&rules, 1);
    struct rng rng = {8};
    for (int i = 0; i < 10; i++) {
        union game_state state;
        struct thought t, before;
        test_endgame(&rules, 14, &rng, &state);
        brain_think(fresh, &state, &(struct limits){0}, &before);
        for (int m = 0; m < game->count(&state); m++)
            brain_weigh(brain, &state, game->nth(&state, m), &(struct limits){0}, &t);
        brain_think(brain, &state, &(struct limits){0}, &t);
        assert_int_equal(t.value, before.value);
    }
    brain_free(brain);
    brain_free(fresh);
}

// Who may have to stop asks first whether the game is won; what it finds in the end is the same.
static void test_limits_change_no_score(void **unused) {
    (void)unused;
    for (int k = 0; k < BOARD_KINDS; k++) {
        const struct ruleset rules = test_reversi(k);
        struct brain *brain = new_brain(&rules, 1);
        struct rng rng = {9};
        for (int i = 0; i < 6; i++) {
            union game_state state;
            struct thought free, limited;
            test_endgame(&rules, 15, &rng, &state);
            brain_think(brain, &state, &(struct limits){0}, &free);
            brain_think(brain, &state, &(struct limits){.nodes = 100000000}, &limited);
            assert_true(free.exact && limited.exact);
            assert_int_equal(limited.value, free.value);
            assert_legal(&rules, &state, &limited);
        }
        brain_free(brain);
    }
}

// Threads that share the moves of nodes find what one finds.
static void test_threads_agree(void **unused) {
    (void)unused;
    for (int threads = 2; threads <= 4; threads++) {
        const struct ruleset rules = test_reversi(threads % BOARD_KINDS);
        struct brain *one = new_brain(&rules, 1), *several = new_brain(&rules, threads);
        struct rng rng = {9};
        for (int i = 0; i < 4; i++) {
            union game_state state;
            struct thought a, b;
            test_endgame(&rules, 17, &rng, &state);
            brain_think(one, &state, &(struct limits){0}, &a);
            brain_think(several, &state, &(struct limits){0}, &b);
            assert_true(a.exact && b.exact);
            assert_int_equal(a.value, b.value);
            assert_legal(&rules, &state, &b);
            brain_think(several, &state, &(struct limits){.nodes = NODES}, &b);
            assert_legal(&rules, &state, &b);
        }
        brain_free(one);
        brain_free(several);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeats_by_nodes),    cmocka_unit_test(test_small_limits_count),
        cmocka_unit_test(test_keeps_the_time),      cmocka_unit_test(test_weighs_each_move),
        cmocka_unit_test(test_one_move_is_not_all), cmocka_unit_test(test_limits_change_no_score),
        cmocka_unit_test(test_threads_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
