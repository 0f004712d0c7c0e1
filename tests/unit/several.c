// SPDX-License-Identifier: MIT
// Several answers of a position: they differ, can be played, fall in value, and what is exact of
// one is what it is worth alone.
#include "engine/several.h"

#include "engine/told.h"
#include "thoughts.h"

#include <string.h>

enum { POSITIONS = 10, NODES = 6000, WANTED = 4 };

static void begin(struct ruleset *rules, const char *game, const char *from,
                  union game_state *state) {
    char why[WHY_TEXT_MAX];
    ruleset_init(rules, game_find(game));
    if (!rules->game->start(state, rules, from, why))
        fail_msg("%s: %s", game, why);
}

// Two turns of two stones are the same in any order.
static bool are_same(const struct engine *engine, const struct game *game,
                     const union game_state *state, const struct thought *a,
                     const struct thought *b) {
    if (!engine->thinks_turns || game->due(state) == 1 || a->length == 1 || b->length == 1)
        return a->pv[0] == b->pv[0];
    return (a->pv[0] == b->pv[0] && a->pv[1] == b->pv[1]) ||
           (a->pv[0] == b->pv[1] && a->pv[1] == b->pv[0]);
}

static void check_answers(struct brain *brain, const struct game *game,
                          const union game_state *state) {
    const struct engine *engine = engine_find(game->name);
    const struct limits limits = {.nodes = NODES, .curious = true};
    const int moves = game->count(state);
    struct thought t[SEVERAL_MAX], alone;
    const int count = brain_think_several(brain, game, state, &limits, WANTED, t);
    assert_int_equal(count, moves < WANTED && !engine->thinks_turns ? moves : WANTED);
    for (int i = 0; i < count; i++) {
        thoughts_check_line(game, state, &t[i]);
        for (int k = 0; k < i; k++)
            assert_false(are_same(engine, game, state, &t[i], &t[k]));
        if (i > 0)
            assert_true(engine_worth(engine, t[i - 1].value) >= engine_worth(engine, t[i].value));
        brain_weigh(brain, state, t[i].pv[0], &limits, &alone);
        if (t[i].exact && alone.exact && !engine->thinks_turns && !engine->tell)
            assert_int_equal(t[i].value, alone.value);
    }
}

static void test_answers(void **unused) {
    (void)unused;
    for (const struct engine *const *e = engines; *e; e++) {
        struct ruleset rules;
        struct rng rng = {23};
        union game_state state;
        begin(&rules, (*e)->game, NULL, &state);
        struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
        for (int i = 0; i < POSITIONS; i++) {
            begin(&rules, (*e)->game, NULL, &state);
            thoughts_wander(rules.game, &rng, 70, &state);
            check_answers(brain, rules.game, &state);
        }
        brain_free(brain);
    }
}

// The first of one is what is thought of the position.
static void test_one_answer_is_the_thought(void **unused) {
    (void)unused;
    for (const struct engine *const *e = engines; *e; e++) {
        struct ruleset rules;
        union game_state state;
        const struct limits limits = {.nodes = NODES};
        struct thought t[SEVERAL_MAX], whole;
        begin(&rules, (*e)->game, NULL, &state);
        struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
        assert_int_equal(brain_think_several(brain, rules.game, &state, &limits, 1, t), 1);
        brain_think(brain, &state, &limits, &whole);
        assert_int_equal(t[0].value, whole.value);
        assert_int_equal(t[0].nodes, whole.nodes);
        assert_memory_equal(t[0].pv, whole.pv, (size_t)whole.length * sizeof *whole.pv);
        brain_free(brain);
    }
}

// Several turns of connect6 after "moves": each win is proven for itself.
static int think_after(const char *moves, struct thought t[static SEVERAL_MAX]) {
    struct ruleset rules;
    union game_state state;
    const struct limits limits = {.nodes = 60000, .curious = true};
    char copy[256], *bad;
    int ply = 0;
    begin(&rules, "connect6", NULL, &state);
    snprintf(copy, sizeof copy, "%s", moves);
    assert_null(game_play_line(rules.game, &state, copy, &ply, &bad));
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    const int count = brain_think_several(brain, rules.game, &state, &limits, WANTED, t);
    for (int i = 0; i < count; i++)
        thoughts_check_line(rules.game, &state, &t[i]);
    brain_free(brain);
    return count;
}

// White has four in a line that is open on both sides, and two stones to place: more than one turn
// wins at once.
static void test_wins_at_once(void **unused) {
    (void)unused;
    struct thought t[SEVERAL_MAX];
    assert_int_equal(think_after("0,0;9,9;9,10;0,4;0,8;9,11;9,12;0,12;18,18", t), WANTED);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(t[i].value, 10000 - 1);
        assert_true(t[i].exact);
    }
}

// Black must stop that: what does not loses, and it is proven.
static void test_losses_are_proven(void **unused) {
    (void)unused;
    struct thought t[SEVERAL_MAX];
    assert_int_equal(think_after("0,0;9,9;9,10;0,4;0,8;9,11;9,12", t), WANTED);
    for (int i = 0; i < 3; i++)
        assert_true(t[i].value > -9000 && !t[i].exact);
    assert_int_equal(t[3].value, 2 - 10000);
    assert_true(t[3].exact);
}

static void check_words(const char *game, int value, bool exact, const char *words) {
    struct ruleset rules;
    union game_state state;
    struct buf out = {.data = NULL};
    begin(&rules, game, NULL, &state);
    thought_put_words(engine_find(game), &state, &(struct thought){.value = value, .exact = exact},
                      &out);
    assert_string_equal(out.data, words);
    buf_done(&out);
}

static void test_words(void **unused) {
    (void)unused;
    check_words("reversi", 4, true, "+4 discs, exact");
    check_words("reversi", -1, false, "-1 disc");
    check_words("reversi", 0, true, "even, exact");
    check_words("tower4", 28, false, "+28 points");
    check_words("connect6", -110, false, "-1.1 stones");
    check_words("connect6", 4, false, "even");
    check_words("connect6", -8999, false, "losing");
    check_words("connect6", 9999, true, "won in 1 turn, exact");
    check_words("connect6", -9990, false, "lost in 5 turns");
    check_words("cuptactoe", 13, true, "won in 7 turns, exact");
    check_words("cuptactoe", -2, true, "lost in 1 turn, exact");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),      cmocka_unit_test(test_one_answer_is_the_thought),
        cmocka_unit_test(test_wins_at_once), cmocka_unit_test(test_losses_are_proven),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
