// SPDX-License-Identifier: MIT
// Positions of hopchess for tests, and their values by trying everything with the rules.
#pragma once

#include "base/rng.h"
#include "check.h"
#include "engine/engine.h"
#include "engine/hopchess/search.h"
#include "games/registry.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIST = 4096 }; // moves of a position with few pieces

static inline struct ruleset standard(void) {
    struct ruleset rules;
    ruleset_init(&rules, &game_hopchess);
    return rules;
}

// A running game with these pieces and so many turns left, black or white to move.
static inline bool lay(struct hopchess *state, uint64_t black, uint64_t white, int left) {
    const struct ruleset rules = standard();
    char why[WHY_TEXT_MAX], text[STATE_TEXT_MAX] = "", *at = text;
    for (int i = 0; i < HOP_SQUARES; i++) {
        *at++ = black >> i & 1 ? 'X' : white >> i & 1 ? 'O' : '.';
        if (i % HOP_SIDE == HOP_SIDE - 1 && i < HOP_SQUARES - 1)
            *at++ = '/';
    }
    sprintf(at, " %d", 400 - left);
    return game_hopchess.start(state, &rules, text, why) && state->ending == ENDING_RUNNING;
}

static inline uint64_t strew(struct rng *rng, int pieces, uint64_t among) {
    uint64_t set = 0;
    while (bits_count(set) < pieces)
        set |= bit((int)rng_below(rng, HOP_SQUARES)) & among;
    return set;
}

// The best margin of the player to move, everything tried.
static inline int best_margin(const struct hopchess *state, int alpha, int beta) {
    move list[LIST];
    const int count = game_hopchess.moves(state, list), player = state->turns % 2;
    for (int i = 0; i < count && alpha < beta; i++) {
        struct hopchess next = *state;
        game_hopchess.apply(&next, list[i]);
        int scores[2], value;
        game_hopchess.scores(&next, scores);
        if (next.ending != ENDING_RUNNING)
            value = scores[player] - scores[1 - player];
        else if (next.turns % 2 == player)
            value = best_margin(&next, alpha, beta);
        else
            value = -best_margin(&next, -beta, -alpha);
        alpha = value > alpha ? value : alpha;
    }
    return alpha;
}

// What the search makes of an end, everything tried.
static inline int best_value(const struct hopchess *state, int ply, int alpha, int beta) {
    move list[LIST];
    if (state->ending != ENDING_RUNNING) {
        const int black = bits_count(state->piece[0] & FIELD_HOME),
                  white = bits_count(state->piece[1] & FIELD_AWAY);
        const int margin = black - white, pieces = abs(margin);
        const int won = HOP_WON + HOP_STEP * (HOP_PIECE * pieces - ply) + pieces;
        return margin > 0 ? won : margin < 0 ? -won : 0; // for black
    }
    const int count = game_hopchess.moves(state, list);
    const bool black = state->turns % 2 == 0;
    for (int i = 0; i < count && alpha < beta; i++) {
        struct hopchess next = *state;
        game_hopchess.apply(&next, list[i]);
        // A skipped turn is a ply; if all that are left are skipped, it is one in all.
        const int plies = next.turns - state->turns > 1 ? 2 : 1;
        const int value = best_value(&next, ply + plies, alpha, beta);
        if (black && value > alpha)
            alpha = value;
        if (!black && value < beta)
            beta = value;
    }
    return black ? alpha : beta;
}

// A race of two sides that have passed each other, of `least` to two pieces more, with `left` to
// `left + more` turns to go; false if the game would be over.
static inline bool draw_race(struct rng *rng, int least, int left, int more,
                             struct hopchess *state) {
    const uint64_t black = strew(rng, least + (int)rng_below(rng, 3), FIELD_HOME | FIELD_HOME >> 1);
    const uint64_t white = strew(rng, least + (int)rng_below(rng, 3), FIELD_AWAY | FIELD_AWAY << 1);
    return lay(state, black, white, left + (int)rng_below(rng, (uint32_t)more + 1));
}

// The margin of a race by the tables, which must be what trying everything finds.
static inline int checked_margin(const struct races *races, const struct hopchess *state) {
    const struct hop_field f = field_of_state(state);
    int plies;
    assert_true(race_is_on(&f));
    const int margin = race_margin(races, &f, &plies);
    assert_int_equal(margin, best_margin(state, -99, 99));
    return margin;
}
