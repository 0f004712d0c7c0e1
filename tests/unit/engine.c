// SPDX-License-Identifier: MIT
// What every engine promises, and the parts they share.
#include "engine/engine.h"

#include "engine/deepen.h"
#include "engine/tt.h"
#include "thoughts.h"

#include <string.h>

enum { POSITIONS = 12, NODES = 3000 };

// A position of a random game, some plies in; the game is not over.
static void position(const struct ruleset *rules, struct rng *rng, union game_state *state) {
    const struct game *game = rules->game;
    char why[WHY_TEXT_MAX];
    assert_true(game->start(state, rules, NULL, why));
    thoughts_wander(game, rng, 60, state);
}

static void for_every_engine(void (*check)(const struct ruleset *rules, struct brain *brain,
                                           const union game_state *state)) {
    for (const struct engine *const *e = engines; *e; e++) {
        struct ruleset rules;
        struct rng rng = {11};
        ruleset_init(&rules, game_find((*e)->game));
        struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
        assert_non_null(brain);
        for (int i = 0; i < POSITIONS; i++) {
            union game_state state;
            position(&rules, &rng, &state);
            check(&rules, brain, &state);
        }
        brain_free(brain);
    }
}

static void check_repeats(const struct ruleset *rules, struct brain *brain,
                          const union game_state *state) {
    const struct limits limits = {.nodes = NODES};
    struct thought one, two;
    struct brain *fresh = brain_new(rules, LEVEL_STRONG, 1, 2);
    brain_think(brain, state, &limits, &one);
    brain_think(fresh, state, &limits, &two);
    thoughts_check_line(rules->game, state, &one);
    assert_int_equal(one.nodes, two.nodes);
    assert_int_equal(one.value, two.value);
    assert_int_equal(one.length, two.length);
    assert_memory_equal(one.pv, two.pv, (size_t)one.length * sizeof *one.pv);
    brain_free(fresh);
}

static void test_same_nodes_same_answer(void **unused) {
    (void)unused;
    for_every_engine(check_repeats);
}

static void check_weighs(const struct ruleset *rules, struct brain *brain,
                         const union game_state *state) {
    const struct limits limits = {.nodes = NODES};
    const struct game *game = rules->game;
    struct thought t;
    const move last = game->nth(state, game->count(state) - 1);
    brain_weigh(brain, state, last, &limits, &t);
    assert_int_equal(t.pv[0], last);
    thoughts_check_line(game, state, &t);
}

static void test_weighs_the_move_asked_for(void **unused) {
    (void)unused;
    for_every_engine(check_weighs);
}

static void test_levels(void **unused) {
    (void)unused;
    for (int g = 0; g < game_count(); g++)
        for (enum level level = 0; level <= LEVEL_MOST; level++) {
            struct ruleset rules;
            struct rng rng = {5};
            union game_state state;
            struct thought t;
            const struct limits limits = {.nodes = 200};
            ruleset_init(&rules, game_nth(g));
            position(&rules, &rng, &state);
            struct brain *brain = brain_new(&rules, level, 1, 3);
            brain_think(brain, &state, &limits, &t);
            thoughts_check_line(game_nth(g), &state, &t);
            brain_free(brain);
            assert_int_equal(level_find(level_word(level)), level);
        }
    static const char *const none[] = {"god", "0", "11", "-1", "01", "1 ", ""};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(level_find(none[i]), LEVEL_NONE);
    assert_int_equal(level_find("2"), LEVEL_EASY);
    assert_int_equal(level_find("10"), LEVEL_STRONG);
}

static void test_time_leaves_a_margin(void **unused) {
    (void)unused;
    for (int64_t us = 1000; us < 100000000; us *= 3) {
        assert_true(brain_time_us(us) > 0);
        assert_true(brain_time_us(us) < us);
    }
}

static void test_tt_keeps_what_it_was_told(void **unused) {
    (void)unused;
    struct tt *tt = tt_new(1 << 20);
    struct rng rng = {1};
    struct tt_entry got,
        put = {.lower = -300, .upper = 32000, .move = 65535, .depth = 60, .kind = 15};
    const uint64_t key = rng_next(&rng);
    assert_false(tt_get(tt, key, &got));
    tt_put(tt, key, put);
    assert_true(tt_get(tt, key, &got));
    assert_memory_equal(&got, &put, sizeof got);
    put.depth = 0;
    tt_put(tt, key, put);
    assert_true(tt_get(tt, key, &got));
    assert_int_equal(got.depth, 0);
    tt_clear(tt, 100);
    assert_false(tt_get(tt, key, &got));
    tt_free(tt);
}

// Without a limit of nodes what was kept stays, in as much memory as was asked for at most.
static void test_tt_begins(void **unused) {
    (void)unused;
    struct tt *tt = tt_new(1 << 20);
    const uint64_t key = UINT64_C(0x123456789abcdef0);
    struct tt_entry got;
    tt_begin(tt, 0, 1000);
    const uint64_t mask = tt->mask;
    assert_true(mask < tt->count - 1);
    tt_put(tt, key, (struct tt_entry){.depth = 3, .move = 1});
    tt_begin(tt, 0, 10);
    assert_true(tt->mask == mask && tt_get(tt, key, &got));
    tt_begin(tt, 50, 0);
    assert_true(tt->mask < mask && !tt_get(tt, key, &got));
    tt_begin(tt, 0, 0);
    assert_true(tt->mask == tt->count - 1);
    tt_free(tt);
}

// A full table drives out the shallow and the old.
static void test_tt_keeps_the_deep(void **unused) {
    (void)unused;
    struct tt *tt = tt_new(4096);
    struct rng rng = {1};
    struct tt_entry got;
    uint64_t deep[16];
    for (int i = 0; i < 16; i++) {
        deep[i] = (uint64_t)i | rng_next(&rng) << 8;
        tt_put(tt, deep[i], (struct tt_entry){.depth = 40, .move = 1});
    }
    for (int i = 0; i < 10000; i++)
        tt_put(tt, rng_next(&rng), (struct tt_entry){.depth = 3, .move = 1});
    for (int i = 0; i < 16; i++)
        assert_true(tt_get(tt, deep[i], &got));
    for (int i = 0; i < 8; i++)
        tt_age(tt);
    for (int i = 0; i < 10000; i++)
        tt_put(tt, rng_next(&rng), (struct tt_entry){.depth = 3, .move = 1});
    assert_false(tt_get(tt, deep[0], &got));
    tt_free(tt);
}

// A search that counts how deep it was asked to go; stopped at depth 7.
static bool search(void *thread, int depth, struct thought *thought) {
    struct stop *stop = thread;
    if (depth == 7) {
        stop->nodes = 1;
        assert_true(stop_due(stop, 1));
        return false;
    }
    *thought = (struct thought){.length = 1, .depth = depth};
    return true;
}

static void test_deepens_until_stopped(void **unused) {
    (void)unused;
    const struct limits none = {.time_us = 0};
    for (int threads = 1; threads <= 4; threads += 3) {
        struct stop stop;
        stop_init(&stop, &none);
        void *same[] = {&stop, &stop, &stop, &stop};
        struct thought thought = {.length = 0};
        const struct deepening d = {.first = 1,
                                    .last = 20,
                                    .search = search,
                                    .threads = same,
                                    .thread_count = threads,
                                    .stop = &stop};
        deepen(&d, &thought);
        assert_int_equal(thought.depth, 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_nodes_same_answer),
        cmocka_unit_test(test_weighs_the_move_asked_for),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_time_leaves_a_margin),
        cmocka_unit_test(test_tt_keeps_what_it_was_told),
        cmocka_unit_test(test_tt_begins),
        cmocka_unit_test(test_tt_keeps_the_deep),
        cmocka_unit_test(test_deepens_until_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
