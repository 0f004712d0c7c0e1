// SPDX-License-Identifier: MIT
// What the hopchess engine promises beside the contract of all engines.
#include "check.h"

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine/hopchess/net.h"
#include "engine/hopchess/search.h"
#include "games/registry.h"

#include <math.h>
#include <stdlib.h>

static struct brain *brain_of(const struct ruleset *rules, int threads) {
    struct brain *brain = brain_new(rules, LEVEL_STRONG, threads, 1);
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
    assert_int_equal(hop_margin(t.value), won ? margin : -margin);
}

// The end rule as a weapon.
static void test_ends(void **unused) {
    (void)unused;
    // One piece left, and nothing of the other home: walking it home wins.
    assert_won("8/8/8/5X2/8/8/8/3O3O 40", true, 1);
    // One piece left, but the other has two home: ending the game loses, and so does waiting.
    assert_won("O7/O7/8/5X2/8/8/8/2O5 40", false, 1);
    // X takes the last piece of O and has all the time to bring both of his home.
    assert_won("8/8/2XO4/8/8/8/8/6X1 40", true, 2);
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

static double told(const char *position, int value) {
    const struct ruleset rules = rules_with("99");
    union game_state state;
    char why[WHY_TEXT_MAX];
    assert_true(game_hopchess.start(&state, &rules, position, why));
    return engine_tell(engine_find("hopchess"), &state, value);
}

static void assert_pieces(double found, double pieces) {
    if (fabs(found - pieces) > 1e-9)
        fail_msg("%f pieces, not %f", found, pieces);
}

// People are told the score to expect, in pieces more than the other's: certain where the search
// is, else by a curve that rises and is the same for both players.
static void test_tells_pieces(void **unused) {
    (void)unused;
    static const char start[] = "X7/1X5O/X1X3O1/1X3O1O/X1X3O1/1X3O1O/X5O1/7O 0";
    static const char few[] = "8/8/2XO4/4O3/8/8/8/8 40"; // one against two
    struct hop_field home = {.own = FIELD_HOME & 0xffff, .other = FIELD_AWAY & 0xff, .left = 9};
    for (int ply = 0; ply <= HOP_PLY_MAX; ply++) {
        const int value = hop_final(&home, ply);
        assert_true(hop_is_proven(value) && hop_is_proven(-value));
        assert_pieces(told(start, value), 2);
        assert_pieces(told(start, -value), -2);
    }
    assert_pieces(told(start, HOP_RACE_WON + 3 * HOP_RACE_PIECE - 17), 3);
    assert_pieces(told(start, 0), 0);
    for (int value = 10; value <= 1000; value += 10) {
        assert_pieces(told(start, -value), -told(start, value));
        assert_true(told(start, value) > told(start, value - 10) || value > 200);
        assert_true(told(few, value) <= 1 && told(few, -value) >= -2);
    }
    assert_true(told(start, 1000) > 1 && told(start, 1000) < 9);
}

// Moves to go and the score to expect, black first whoever moves.
static void test_explains_the_race(void **unused) {
    (void)unused;
    static const struct {
        const char *position, *facts, *remarks;
    } cases[] = {
        {"8/5X2/6X1/1O5X/8/2O5/O7/8 40",
         "{\"sides\":[{\"player\":1,\"pieces\":3,\"home\":2,\"moves_to_go\":1,\"certain\":true},"
         "{\"player\":2,\"pieces\":3,\"home\":2,\"moves_to_go\":1,\"certain\":true}],"
         "\"run\":{\"scores\":[3,2],\"difference\":1,\"turn\":41}}",
         "X: 2 of 3 pieces home; moves to go if left alone: 1\n"
         "O: 2 of 3 pieces home; moves to go if left alone: 1\n"
         "expected score if both run home and nothing is taken: X 3, O 2, at turn 41\n"},
        {"8/5X2/6X1/1O5X/8/2O5/O7/8 41",
         "{\"sides\":[{\"player\":1,\"pieces\":3,\"home\":2,\"moves_to_go\":1,\"certain\":true},"
         "{\"player\":2,\"pieces\":3,\"home\":2,\"moves_to_go\":1,\"certain\":true}],"
         "\"run\":{\"scores\":[2,3],\"difference\":1,\"turn\":42}}",
         "X: 2 of 3 pieces home; moves to go if left alone: 1\n"
         "O: 2 of 3 pieces home; moves to go if left alone: 1\n"
         "expected score if both run home and nothing is taken: X 2, O 3, at turn 42\n"},
        {"8/8/8/8/3X4/8/8/8 40",
         "{\"sides\":[{\"player\":1,\"pieces\":1,\"home\":0,\"moves_to_go\":3,\"certain\":true},"
         "{\"player\":2,\"pieces\":0,\"home\":0,\"moves_to_go\":null,\"certain\":true}],"
         "\"run\":{\"scores\":[1,0],\"difference\":1,\"turn\":45}}",
         "X: 0 of 1 pieces home; moves to go if left alone: 3\n"
         "O has no piece left\n"
         "expected score if both run home and nothing is taken: X 1, O 0, "
         "at turn 45\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ruleset rules = rules_with("99");
        union game_state state;
        struct buf out = {.data = NULL};
        char why[WHY_TEXT_MAX];
        assert_true(game_hopchess.start(&state, &rules, cases[i].position, why));
        engine_find("hopchess")->explain(&rules, &state, &out);
        assert_string_equal(out.data, cases[i].remarks);
        json_t *facts = engine_find("hopchess")->facts(&rules, &state);
        json_t *expected = json_loads(cases[i].facts, 0, NULL);
        assert_true(json_equal(facts, expected));
        json_decref(facts);
        json_decref(expected);
        buf_done(&out);
    }
}

// A search that is stopped while it looks again with a wider window has a value all the same.
static void test_has_a_value_whenever_it_stops(void **unused) {
    (void)unused;
    static const char *const positions[] = {
        "8/6X1/O1O4X/8/6X1/3X2X1/6XX/1O1O4 62",
        "6X1/7X/6O1/4X3/4OO2/1O2O3/8/4O3 66",
        "8/4X1O1/X2XXOO1/6X1/5O2/1XXOO3/6O1/8 29",
    };
    const struct ruleset rules = rules_with("99");
    struct brain *brain = brain_of(&rules, 1);
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        union game_state state;
        char why[WHY_TEXT_MAX];
        struct thought t;
        assert_true(game_hopchess.start(&state, &rules, positions[i], why));
        for (uint64_t nodes = 900; nodes < 1100; nodes++) {
            brain_think(brain, &state, &(struct limits){.nodes = nodes}, &t);
            assert_true(abs(t.value) < HOP_NONE);
        }
    }
    brain_free(brain);
}

// Ahead, it makes progress: nothing is repeated until the moves are used up.
static void test_wins_what_is_won(void **unused) {
    (void)unused;
    const struct ruleset rules = rules_with("99");
    struct brain *brain = brain_of(&rules, 1);
    struct rng rng = {3};
    for (int game = 0; game < 8; game++) {
        union game_state state;
        char why[WHY_TEXT_MAX];
        int turns = 0;
        assert_true(game_hopchess.start(&state, &rules, NULL, why));
        for (; !game_is_over(&game_hopchess, &state); turns++) {
            struct thought t;
            const int count = game_hopchess.count(&state);
            move m = game_hopchess.nth(&state, (int)rng_below(&rng, (uint32_t)count));
            if (game_hopchess.turn(&state) == 1 + game % 2) {
                brain_think(brain, &state, &(struct limits){.nodes = 500}, &t);
                m = t.pv[0];
            }
            assert_null(game_play(&game_hopchess, &state, m));
        }
        const struct outcome outcome = game_hopchess.outcome(&state);
        assert_int_equal(outcome.winner, 1 + game % 2);
        assert_int_equal(outcome.ending, ENDING_HOME);
        assert_true(turns < 400);
    }
    brain_free(brain);
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

// The clock is looked at every so many nodes, wherever a search begins: at the root as well.
static void test_looks_at_the_clock(void **unused) {
    (void)unused;
    const struct ruleset rules = rules_with("99");
    const struct limits gone = {.time_us = 1};
    struct hopchess state;
    struct tt *tt = tt_new(1 << 16);
    struct hop_search search;
    struct hop_line line;
    char why[WHY_TEXT_MAX];
    assert_true(game_hopchess.start(&state, &rules, NULL, why));
    const struct hop_field f = field_of_state(&state);
    const struct hop_node root = {.field = &f, .alpha = -HOP_NONE, .beta = HOP_NONE, .depth = 20};
    hop_search_init(&search, hopnet_find(), tt, 0);
    for (uint64_t before = STOP_EVERY - 3; before <= STOP_EVERY; before++) {
        struct stop stop;
        struct leap leaps[LEAPS_ROOM];
        const int count = leaps_list(&f, state.max_hops, false, leaps, LEAPS_ROOM);
        stop_init(&stop, &gone);
        stop.at_us -= 1000;
        hop_search_begin(&search, &stop, state.max_hops);
        search.nodes = before;
        hop_search_run(&search, &root, leaps, count, &line);
        assert_true(hop_search_stopped(&search));
        assert_int_equal(search.nodes, before < STOP_EVERY ? STOP_EVERY : 2 * STOP_EVERY);
    }
    hop_search_done(&search);
    tt_free(tt);
}

// A move that is looked at alone among others gets all the time, one that has no others next to
// none.
static void test_weighs_with_all_its_time(void **unused) {
    (void)unused;
    enum { TIME_US = 200000 };
    const struct ruleset rules = rules_with("99");
    struct brain *brain = brain_of(&rules, 1);
    union game_state state;
    char why[WHY_TEXT_MAX];
    struct thought t;
    assert_true(game_hopchess.start(&state, &rules, NULL, why));
    const int64_t begin = clock_now_us();
    brain_weigh(brain, &state, game_hopchess.nth(&state, 0), &(struct limits){.time_us = TIME_US},
                &t);
    assert_true(clock_now_us() - begin >= TIME_US / 2);
    brain_free(brain);
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
        cmocka_unit_test(test_tells_pieces),
        cmocka_unit_test(test_explains_the_race),
        cmocka_unit_test(test_has_a_value_whenever_it_stops),
        cmocka_unit_test(test_wins_what_is_won),
        cmocka_unit_test(test_plays_by_the_rules),
        cmocka_unit_test(test_keeps_the_time),
        cmocka_unit_test(test_looks_at_the_clock),
        cmocka_unit_test(test_weighs_with_all_its_time),
        cmocka_unit_test(test_carries_weights),
        cmocka_unit_test(test_weights_are_packed),
        cmocka_unit_test(test_colours_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
