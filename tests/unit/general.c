// SPDX-License-Identifier: MIT
// The general engine: the same answer for the same nodes, proofs that hold, bounds of memory, and
// moves that are not to be considered. On our own games, whose engines know better.
#include "engine/general/general.h"

#include "engine/general/search.h"
#include "engine/several.h"
#include "engine/told.h"
#include "rulesets.h"
#include "thoughts.h"

#include <stdlib.h>
#include <string.h>

static void begin(struct ruleset *rules, const char *game, const char *from,
                  union game_state *state) {
    char why[WHY_TEXT_MAX];
    ruleset_init(rules, game_find(game));
    memset(state, 0, sizeof *state);
    if (!rules->game->start(state, rules, from, why))
        fail_msg("%s: %s", game, why);
}

static void play(const struct game *game, const char *moves, union game_state *state) {
    char copy[512], *bad;
    int ply = 0;
    snprintf(copy, sizeof copy, "%s", moves);
    assert_null(game_play_line(game, state, copy, &ply, &bad));
}

static void check_same(const struct thought *a, const struct thought *b) {
    assert_int_equal(a->value, b->value);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->pv, b->pv, (size_t)a->length * sizeof *a->pv);
}

// Whatever was thought before, and by another brain too.
static void test_nodes_decide(void **unused) {
    (void)unused;
    for (int i = 0; i < TEST_RULESETS; i++) {
        struct ruleset rules;
        union game_state state, other;
        char why[WHY_TEXT_MAX];
        struct rng rng = {(uint64_t)i};
        const struct limits limits = {.nodes = 150};
        struct thought first, again;
        test_ruleset_make(&test_rulesets[i], &rules);
        assert_true(rules.game->start(&state, &rules, NULL, why));
        other = state;
        thoughts_wander(rules.game, &rng, 20, &state);
        thoughts_wander(rules.game, &rng, 20, &other);
        struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 1, 1);
        struct brain *second = brain_new_general(&rules, LEVEL_STRONG, 1, 2);
        brain_think(brain, &state, &limits, &first);
        thoughts_check_line(rules.game, &state, &first);
        assert_true(first.nodes <= limits.nodes);
        brain_think(brain, &other, &(struct limits){.time_us = 2000}, &again);
        thoughts_check_line(rules.game, &other, &again);
        brain_think(brain, &state, &limits, &again);
        check_same(&first, &again);
        brain_think(second, &state, &limits, &again);
        check_same(&first, &again);
        brain_free(brain);
        brain_free(second);
    }
}

// What it proves of Cup-Tac-Toe is so, and it proves much.
static void test_proofs_hold(void **unused) {
    (void)unused;
    enum { POSITIONS = 40 };
    struct ruleset rules;
    union game_state state;
    struct rng rng = {5};
    int proven = 0;
    begin(&rules, "cuptactoe", NULL, &state);
    struct brain *solver = brain_new(&rules, LEVEL_STRONG, 1, 1);
    struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 1, 1);
    for (int i = 0; i < POSITIONS; i++) {
        struct thought known, t;
        begin(&rules, "cuptactoe", NULL, &state);
        thoughts_wander(rules.game, &rng, 16, &state);
        brain_think(solver, &state, &(struct limits){.nodes = 20000000}, &known);
        brain_think(brain, &state, &(struct limits){.nodes = 3000}, &t);
        thoughts_check_line(rules.game, &state, &t);
        if (!t.exact || !known.exact)
            continue;
        proven++;
        assert_int_equal((known.value > 0) - (known.value < 0), (t.value > 0) - (t.value < 0));
        // a win comes in time, if not in the shortest
        if (t.value > 0)
            assert_true(engine_turns_left(&engine_general, t.value) >=
                        engine_turns_left(brain_engine(solver), known.value));
    }
    assert_true(proven > POSITIONS / 2);
    brain_free(solver);
    brain_free(brain);
}

// The last moves of tower4: who wins by how much is known to its own engine.
static void test_endings(void **unused) {
    (void)unused;
    enum { POSITIONS = 10, LEFT = 4 };
    struct ruleset rules;
    union game_state state, next;
    struct rng rng = {9};
    begin(&rules, "tower4", NULL, &state);
    struct brain *own = brain_new(&rules, LEVEL_STRONG, 1, 1);
    struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 1, 1);
    int proven = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct game *game = rules.game;
        union game_state line[512];
        struct thought known, t;
        int plies = 0;
        begin(&rules, "tower4", NULL, &state);
        while (!game_is_over(game, &state)) {
            line[plies++] = state;
            game->apply(&state,
                        game->nth(&state, (int)rng_below(&rng, (uint32_t)game->count(&state))));
        }
        next = line[plies - LEFT];
        brain_think(own, &next, &(struct limits){.nodes = 2000000}, &known);
        brain_think(brain, &next, &(struct limits){.nodes = 20000}, &t);
        if (!known.exact || !t.exact)
            continue;
        proven++;
        assert_int_equal((known.value > 0) - (known.value < 0), (t.value > 0) - (t.value < 0));
    }
    assert_true(proven > POSITIONS / 2);
    brain_free(own);
    brain_free(brain);
}

// A turn of two stones that wins, and a value of both moves for the same player.
static void test_turn_of_two(void **unused) {
    (void)unused;
    struct ruleset rules;
    union game_state state;
    struct thought t;
    struct buf words = {.data = NULL};
    begin(&rules, "connect6", NULL, &state);
    play(rules.game, "0,0;9,9;9,10;0,4;0,8;9,11;9,12;0,12;18,18", &state);
    struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 1, 1);
    brain_think(brain, &state, &(struct limits){.nodes = 20000}, &t);
    assert_int_equal(t.value, GENERAL_WIN - 1);
    assert_true(t.exact && t.length == 2);
    thought_put_words(brain_engine(brain), &state, &t, &words);
    assert_string_equal(words.data, "won in 1 turn, exact");
    buf_done(&words);
    brain_free(brain);
}

// One move alone, and all moves but some, one after the other until one is left.
static void test_only_and_except(void **unused) {
    (void)unused;
    static const char *const games[] = {"cuptactoe", "reversi", "tower4", "hopchess", "connect6"};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        struct ruleset rules;
        union game_state state;
        struct thought t;
        move except[512][2];
        struct limits limits = {.nodes = 40, .except = (const move(*)[2])except};
        begin(&rules, games[g], NULL, &state);
        const int count = rules.game->count(&state);
        struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 1, 1);
        for (int i = 0; i < count && i < 40; i++) {
            brain_weigh(brain, &state, rules.game->nth(&state, i), &(struct limits){.nodes = 20},
                        &t);
            assert_int_equal(t.pv[0], rules.game->nth(&state, i));
            thoughts_check_line(rules.game, &state, &t);
            assert_true(abs(t.value) <= GENERAL_WIN);
        }
        for (int i = 0; i < count && i < 40; i++) {
            brain_think(brain, &state, &limits, &t);
            assert_false(limits_except(&limits, t.pv[0], MOVE_PASS));
            except[limits.except_count][0] = t.pv[0];
            except[limits.except_count++][1] = MOVE_PASS;
        }
        brain_free(brain);
    }
}

static void test_several(void **unused) {
    (void)unused;
    struct ruleset rules;
    union game_state state;
    struct thought t[SEVERAL_MAX];
    begin(&rules, "connect6", NULL, &state);
    play(rules.game, "9,9", &state);
    struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 1, 1);
    assert_int_equal(
        brain_think_several(brain, rules.game, &state, &(struct limits){.nodes = 2000}, 4, t), 4);
    for (int i = 1; i < 4; i++) {
        assert_true(t[i - 1].value >= t[i].value);
        assert_int_not_equal(t[i - 1].pv[0], t[i].pv[0]);
    }
    brain_free(brain);
}

// After the moves of both, what was thought of the position is still there.
static void test_tree_is_kept(void **unused) {
    (void)unused;
    struct ruleset rules;
    union game_state state;
    struct uct uct;
    struct stop stop;
    const struct limits timed = {.time_us = INT64_C(1000000000)};
    begin(&rules, "reversi", NULL, &state);
    uct_init(&uct, rules.game, 1 << 24);
    uct_begin(&uct, &state, &timed, MOVE_PASS, 1);
    for (int i = 0; i < 10; i++) {
        stop_init(&stop, &(struct limits){.nodes = 2000});
        uct_run(&uct, &stop);
        for (int k = 0; k < 2; k++) { // by the moves visited most
            const struct tree_node *nodes = uct.tree.nodes;
            const uint32_t root = TREE_ROOT;
            const struct tree_node *best = &nodes[nodes[root].first];
            for (uint32_t c = 1; c < nodes[root].child_count; c++)
                if (nodes[nodes[root].first + c].visits > best->visits)
                    best = &nodes[nodes[root].first + c];
            const uint32_t visits = best->visits;
            assert_null(game_play(rules.game, &state, best->m));
            uct_begin(&uct, &state, &timed, MOVE_PASS, 1);
            assert_int_equal(uct.tree.nodes[TREE_ROOT].visits, visits);
            assert_int_equal(uct.tree.nodes[TREE_ROOT].turn, rules.game->turn(&state));
        }
    }
    uct_done(&uct);
}

// A pool that is full is searched on, and not beyond its end.
static void test_memory_is_bounded(void **unused) {
    (void)unused;
    static const size_t sizes[] = {1, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct ruleset rules;
        union game_state state;
        struct uct uct;
        struct stop stop;
        begin(&rules, "hopchess", NULL, &state);
        uct_init(&uct, rules.game, sizes[i]);
        for (int k = 0; k < 6; k++) {
            uct_begin(&uct, &state, &(struct limits){.time_us = 1}, MOVE_PASS, 1);
            stop_init(&stop, &(struct limits){.nodes = 500});
            uct_run(&uct, &stop);
            assert_true(uct.tree.used <= uct.tree.size);
            assert_null(game_play(rules.game, &state, rules.game->nth(&state, 0)));
        }
        uct_done(&uct);
    }
}

static void test_threads(void **unused) {
    (void)unused;
    struct ruleset rules;
    union game_state state;
    struct thought t;
    begin(&rules, "reversi", NULL, &state);
    struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 3, 1);
    for (int i = 0; i < 6; i++) {
        brain_think(brain, &state, &(struct limits){.time_us = 20000}, &t);
        thoughts_check_line(rules.game, &state, &t);
        assert_null(game_play(rules.game, &state, t.pv[0]));
    }
    brain_free(brain);
}

// Without any limit it ends.
static void test_no_limit(void **unused) {
    (void)unused;
    struct ruleset rules;
    union game_state state;
    struct thought t;
    begin(&rules, "cuptactoe", "X3 X3 ./O3 O3 ./. . . 4", &state);
    struct brain *brain = brain_new_general(&rules, LEVEL_STRONG, 1, 1);
    brain_think(brain, &state, &(struct limits){.time_us = 0}, &t);
    assert_true(t.exact && t.value == GENERAL_WIN - 1);
    brain_free(brain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_decide),    cmocka_unit_test(test_proofs_hold),
        cmocka_unit_test(test_endings),         cmocka_unit_test(test_turn_of_two),
        cmocka_unit_test(test_only_and_except), cmocka_unit_test(test_several),
        cmocka_unit_test(test_tree_is_kept),    cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_no_limit),
    };
    return cmocka_run_group_tests_name("general", tests, NULL, NULL);
}
