// SPDX-License-Identifier: MIT
// What the hopchess engine promises beside the contract of all engines.
#include "check.h"

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine/hopchess/hopnet.h"
#include "engine/hopchess/hunt.h"
#include "games/registry.h"

#include <stdlib.h>

static struct brain *brain_of(const struct ruleset *rules, int threads) {
    struct err err = {.set = false};
    struct brain *brain = brain_new(rules, LEVEL_STRONG, threads, 1, &err);
    assert_non_null(brain);
    return brain;
}

static struct ruleset rules_with(const char *max_hops) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, &game_hopchess);
    assert_true(ruleset_set(&rules, "max_hops", max_hops, why));
    return rules;
}

// Thinks of a position by so many nodes.
static struct thought think_of(const char *position, uint64_t nodes) {
    const struct ruleset rules = rules_with("99");
    struct brain *brain = brain_of(&rules, 1);
    union game_state state;
    char why[WHY_TEXT_MAX];
    struct thought t;
    assert_true(game_hopchess.start(&state, &rules, position, why));
    brain_think(brain, &state, &(struct limits){.nodes = nodes}, &t);
    brain_free(brain);
    return t;
}

static void assert_won(const char *position, bool won, int margin) {
    const struct thought t = think_of(position, 300000);
    if (!t.exact || (t.value > 0) != won)
        fail_msg("%s: value %d, not %s", position, t.value, won ? "won" : "lost");
    const int pieces = (abs(t.value) - HUNT_WON + HUNT_DEPTH_MAX) / HUNT_PIECE;
    assert_in_range(pieces, margin, margin + HUNT_DEPTH_MAX / HUNT_PIECE);
}

// The end rule as a weapon.
static void test_ends(void **unused) {
    (void)unused;
    // One piece left, and nothing of the other home: walking it home wins.
    assert_won("8/8/8/5X2/8/8/8/3O3O 40", true, 1);
    // One piece left, but the other has two home: ending the game loses, and so does waiting.
    assert_won("O7/O7/8/5X2/8/8/8/2O5 40", false, 1);
    // X takes the last piece of O and has all the time to walk home.
    assert_won("8/8/2XO4/8/8/8/8/6X1 40", true, 1);
}

// A wiped-out side does not end the game: the other walks home.
static void test_wipes_out(void **unused) {
    (void)unused;
    const struct thought t = think_of("8/8/2XO4/4O3/8/8/8/8 40", 300000);
    struct hopchess state;
    const struct ruleset rules = rules_with("99");
    char why[WHY_TEXT_MAX];
    assert_true(game_hopchess.start(&state, &rules, "8/8/2XO4/4O3/8/8/8/8 40", why));
    game_hopchess.apply(&state, t.pv[0]);
    assert_int_equal(state.piece[1], 0);
    assert_true(t.exact && t.value > 0);
}

// Games by nodes, also with few hops: every move is legal, and nothing crashes.
static void test_plays_by_the_rules(void **unused) {
    (void)unused;
    static const char *const hops[] = {"99", "1", "3"};
    for (int i = 0; i < 3; i++) {
        const struct ruleset rules = rules_with(hops[i]);
        struct brain *brain = brain_of(&rules, 1);
        union game_state state;
        char why[WHY_TEXT_MAX];
        assert_true(game_hopchess.start(&state, &rules, NULL, why));
        while (!game_is_over(&game_hopchess, &state)) {
            struct thought t;
            brain_think(brain, &state, &(struct limits){.nodes = 200}, &t);
            assert_null(game_play(&game_hopchess, &state, t.pv[0]));
        }
        brain_free(brain);
    }
}

static void test_keeps_the_time(void **unused) {
    (void)unused;
    const struct ruleset rules = rules_with("99");
    for (int threads = 1; threads <= 2; threads++) {
        struct brain *brain = brain_of(&rules, threads);
        union game_state state;
        char why[WHY_TEXT_MAX];
        struct thought t;
        assert_true(game_hopchess.start(&state, &rules, NULL, why));
        const int64_t begin = clock_now_us(), cpu = clock_cpu_us();
        brain_think(brain, &state, &(struct limits){.time_us = 50000}, &t);
        assert_true(clock_now_us() - begin >= 10000);
        assert_true(clock_cpu_us() - cpu < 300000); // whatever else keeps the machine busy
        assert_null(game_play(&game_hopchess, &state, t.pv[0]));
        brain_free(brain);
    }
}

// The program carries weights that fit its features.
static void test_carries_weights(void **unused) {
    (void)unused;
    struct hopnet plain;
    hopnet_begin(&plain);
    assert_memory_not_equal(&plain, hopnet_find(), sizeof plain);
}

static void test_weights_are_packed(void **unused) {
    (void)unused;
    struct buf packed = {.data = NULL};
    struct err err = {.set = false};
    struct hopnet read;
    hopnet_write(hopnet_find(), &packed);
    assert_true(hopnet_read(packed.data, packed.length, &read, &err));
    assert_memory_equal(&read, hopnet_find(), sizeof read);
    packed.data[packed.length / 2] ^= 1;
    assert_false(hopnet_read(packed.data, packed.length, &read, &err));
    buf_done(&packed);
}

// Turned by half, a position is the same to its mover; upside down, it has the same moves.
static void test_colours_are_alike(void **unused) {
    (void)unused;
    const struct thought black = think_of("X7/1X5O/X1X3O1/1X3O1O/X1X3O1/1X3O1O/X5O1/7O 0", 5000);
    const struct thought white = think_of("X7/1X5O/X1X3O1/1X3O1O/X1X3O1/1X3O1O/X5O1/7O 1", 5000);
    assert_int_equal(black.value, white.value);
    assert_int_equal(black.nodes, white.nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_wipes_out),
        cmocka_unit_test(test_plays_by_the_rules),
        cmocka_unit_test(test_keeps_the_time),
        cmocka_unit_test(test_carries_weights),
        cmocka_unit_test(test_weights_are_packed),
        cmocka_unit_test(test_colours_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
