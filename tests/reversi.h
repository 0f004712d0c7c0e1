// SPDX-License-Identifier: MIT
// Reversi positions for tests, from random games under the rules.
#pragma once

#include "base/rng.h"
#include "engine/reversi/board.h"

static const char *const test_boards[BOARD_KINDS] = {"open", "othello"};

static inline struct ruleset test_reversi(int kind) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, game_find("reversi"));
    assert_true(ruleset_set(&rules, "board", test_boards[kind], why));
    return rules;
}

static inline void test_random_move(const struct game *game, union game_state *state,
                                    struct rng *rng) {
    game->apply(state, game->nth(state, (int)rng_below(rng, (uint32_t)game->count(state))));
}

// A position with so many empty squares in which somebody can move.
static inline void test_endgame(const struct ruleset *rules, int empties, struct rng *rng,
                                union game_state *state) {
    const struct variant *v = board_variant(rules);
    struct board b;
    do {
        char why[WHY_TEXT_MAX];
        assert_true(rules->game->start(state, rules, NULL, why));
        for (b = v->start; board_empties(&b, v) > empties && !game_is_over(rules->game, state);
             b = board_of_state(rules, state))
            test_random_move(rules->game, state, rng);
    } while (game_is_over(rules->game, state));
}

// What the player gains if both play their best, by trying everything under the rules.
static inline int test_brute_force(const struct game *game, const union game_state *state,
                                   int player) {
    int best = -1000;
    if (game_is_over(game, state)) {
        int scores[2];
        game->scores(state, scores);
        return scores[player - 1];
    }
    const int mover = game->turn(state);
    for (int i = 0; i < game->count(state); i++) {
        union game_state next = *state;
        game->apply(&next, game->nth(state, i));
        const int value = test_brute_force(game, &next, mover);
        best = value > best ? value : best;
    }
    return mover == player ? best : -best;
}
