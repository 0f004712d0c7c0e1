// SPDX-License-Identifier: MIT
// Positions at the edge of the rules: whatever the limits, the strong player answers by legal moves
// to the end of the game, and what is said of them can be printed.
#include "check.h"
#include "engine/finish.h"
#include "rulesets.h"

#include <stdlib.h>

enum { WEIGHED = 6, PLAY_NODES = 20 };

static const struct odd {
    struct test_ruleset rules;
    const char *position; // NULL: the first
    const char *moves;    // then these
    int first;            // then so often the first of all legal moves
} odds[] = {
    // one piece against nine, one against one, nothing left of one side
    {{"hopchess", {NULL}}, "X7/8/8/3OOO2/3OOO2/3OOO2/8/8 0", "", 0},
    {{"hopchess", {NULL}}, "2X5/8/8/3OOO2/3OOO2/3OOO2/8/8 1", "", 0},
    {{"hopchess", {NULL}}, "XXX5/XXX5/XXX5/8/8/8/8/7O 0", "", 0},
    {{"hopchess", {NULL}}, "8/8/8/3XO3/8/8/8/8 0", "", 0},
    {{"hopchess", {NULL}}, "8/8/8/8/8/5X2/2O5/8 11", "", 0},
    {{"hopchess", {NULL}}, "8/8/8/8/8/8/8/X4X2 10", "", 0},
    {{"hopchess", {NULL}}, "8/8/8/8/8/8/8/5O2 10", "", 0},
    // the mover is shut in and skipped; either side about to take the last piece
    {{"hopchess", {NULL}}, "XOO5/O7/O7/8/8/8/8/8 0", "", 0},
    {{"hopchess", {NULL}}, "8/8/8/8/8/5X2/5X2/4XXOX 1", "", 0},
    {{"hopchess", {NULL}}, "XOO5/O7/O7/8/8/8/8/8 397", "", 0},
    {{"hopchess", {NULL}}, "8/8/2XO4/8/8/8/8/8 20", "", 0},
    // crowds
    {{"hopchess", {NULL}}, "8/8/1XOXOXO1/1OXOXOX1/1XOXOXO1/8/8/8 40", "", 0},
    {{"hopchess", {NULL}}, "8/8/2XXXOOO/2XXXOOO/2XXXOOO/8/8/8 41", "", 0},
    {{"hopchess", {NULL}}, "OOX4X/OOX4X/OOX4X/OO3O1X/8/2X4X/8/8 60", "", 0},
    // the last turns
    {{"hopchess", {NULL}}, "XXX5/XXX5/XXX5/8/8/5OOO/5OOO/5OOO 398", "", 0},
    {{"hopchess", {NULL}}, "XXX5/XXX5/XXX5/8/8/5OOO/5OOO/5OOO 399", "", 0},
    {{"hopchess", {NULL}}, "5X2/8/8/3X4/8/4O3/2O5/8 397", "", 0},
    {{"hopchess", {NULL}}, "5X2/7X/8/8/8/8/2O5/O7 399", "", 0},
    {{"hopchess", {"max_moves=1"}}, NULL, "", 0},
    {{"hopchess", {"max_moves=500"}}, "5X2/7X/8/8/8/8/2O5/O7 999", "", 0},
    {{"hopchess", {"max_hops=1"}}, "8/8/1XOXOXO1/1OXOXOX1/1XOXOXO1/8/8/8 40", "", 0},
    // there and back: the position comes up again and again
    {{"hopchess", {NULL}}, NULL, "", 0},
    {{"hopchess", {NULL}},
     "8/8/8/2X5/8/8/5O2/8 40",
     "3,2 3,3;6,5 6,4;3,3 3,2;6,4 6,5;3,2 3,3;6,5 6,4;3,3 3,2;6,4 6,5;3,2 3,3;6,5 6,4",
     0},
    // few pieces, all pieces, columns full
    {{"tower4", {"pieces=1"}}, NULL, "", 0},
    {{"tower4", {"pieces=2"}}, NULL, "", 0},
    {{"tower4", {"pieces=3"}}, NULL, "", 1},
    {{"tower4", {"pieces=1", "corners=1"}}, NULL, "", 0},
    {{"tower4", {"pieces=2", "corners=1"}}, NULL, "", 1},
    {{"tower4", {"pieces=3", "corners=1"}}, NULL, "", 0},
    {{"tower4", {"pieces=16"}}, NULL, "", 0},
    {{"tower4", {"pieces=16"}}, NULL, "", 15},
    {{"tower4", {"pieces=16", "corners=1"}}, NULL, "", 6},
    {{"tower4", {NULL}}, NULL, "", 36},
    {{"tower4", {NULL}}, NULL, "", 63},
    {{"tower4", {"corners=1"}}, NULL, "", 60},
    {{"tower4", {"pieces=144"}}, NULL, "", 138},
    {{"tower4", {"pieces=144"}}, NULL, "", 143},
    {{"tower4", {"pieces=192", "corners=1"}}, NULL, "", 180},
    {{"tower4", {"pieces=192", "corners=1"}}, NULL, "", 191},
};

enum { ODDS = sizeof odds / sizeof *odds };

static const struct limits limits[] = {{.nodes = 1},
                                       {.nodes = 500},
                                       {.nodes = 5000, .curious = true},
                                       {.time_us = 1},
                                       {.time_us = 2000}};

static void lay_odd(const struct odd *odd, struct ruleset *rules, union game_state *state) {
    char why[WHY_TEXT_MAX], *moves = strdup(odd->moves), *bad = "";
    int ply;
    test_ruleset_make(&odd->rules, rules);
    if (!rules->game->start(state, rules, odd->position, why))
        fail_msg("%s: %s", odd->position, why);
    if (rules->game->count(state) == 0)
        fail_msg("%s: over", odd->position);
    if (game_play_line(rules->game, state, moves, &ply, &bad) != NULL)
        fail_msg("%s: %s", odd->position, bad);
    for (int i = 0; i < odd->first; i++)
        rules->game->apply(state, rules->game->nth(state, 0));
    free(moves);
}

static void check_thought(const struct odd *odd, const struct game *game,
                          const union game_state *from, const struct thought *t) {
    union game_state state = *from;
    assert_in_range(t->length, 1, PV_MAX);
    for (int i = 0; i < t->length; i++)
        if (game_play(game, &state, t->pv[i]) != NULL)
            fail_msg("%d: move %d of the line is illegal", (int)(odd - odds), i + 1);
}

static void check_limits(const struct odd *odd, struct brain *brain, const struct game *game,
                         const union game_state *state) {
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct thought t;
        brain_think(brain, state, &limits[i], &t);
        check_thought(odd, game, state, &t);
        thought_finish(brain, game, state, &limits[i], &t);
        check_thought(odd, game, state, &t);
        for (int m = 0; m < game->count(state) && m < WEIGHED; m++) {
            const move only = game->nth(state, m);
            brain_weigh(brain, state, only, &limits[i], &t);
            assert_int_equal(t.pv[0], only);
            check_thought(odd, game, state, &t);
        }
    }
}

// Both sides by the same brain, to the end.
static void check_game(struct brain *brain, const struct game *game, const union game_state *from) {
    union game_state state = *from;
    const struct limits few = {.nodes = PLAY_NODES};
    int plies = 0;
    for (; !game_is_over(game, &state); plies++) {
        struct thought t;
        brain_think(brain, &state, &few, &t);
        assert_null(game_play(game, &state, t.pv[0]));
    }
    assert_in_range(plies, 1, game->plies_max);
}

static void check_words(const struct ruleset *rules, const union game_state *state) {
    const struct engine *engine = engine_find(rules->game->name);
    struct buf text = {.data = NULL};
    engine->explain(rules, state, &text);
    json_t *facts = engine->facts(rules, state);
    char *written = json_dumps(facts, 0);
    assert_non_null(written);
    free(written);
    json_decref(facts);
    buf_done(&text);
}

static void test_odd_positions(void **unused) {
    (void)unused;
    for (const struct odd *odd = odds; odd < odds + ODDS; odd++)
        for (int threads = 1; threads <= 2; threads++) {
            struct ruleset rules;
            union game_state state;
            lay_odd(odd, &rules, &state);
            struct brain *brain = brain_new(&rules, LEVEL_STRONG, threads, 1);
            assert_non_null(brain);
            check_limits(odd, brain, rules.game, &state);
            if (threads == 1)
                check_game(brain, rules.game, &state);
            check_words(&rules, &state);
            brain_free(brain);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_odd_positions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
