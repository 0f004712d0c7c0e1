// SPDX-License-Identifier: MIT
// The search looks for the better chance to win, so its values are log odds. What margin they come
// to is a curve: the same for both signs, straight between its knots and level behind the last,
// where few pieces are left to win by. It is fitted to games, each position with what was searched
// there and the margin in the end.
#include "engine/hopchess/score.h"

#include "engine/hopchess/search.h"

#include <stdlib.h>

// Hundredths of a piece at each knot, as `arbiter train hopchess score` prints them.
static const int16_t curve[HOP_SCORE_KNOTS + 1] = {0, 160, 333};

int hop_score_knot(int value, double *part) {
    const int knot =
        value / HOP_SCORE_KNOT < HOP_SCORE_KNOTS ? value / HOP_SCORE_KNOT : HOP_SCORE_KNOTS - 1;
    *part = value < HOP_SCORE_KNOT * HOP_SCORE_KNOTS
                ? (double)(value - knot * HOP_SCORE_KNOT) / HOP_SCORE_KNOT
                : 1;
    return knot;
}

static double expected(int value) {
    double part;
    const int knot = hop_score_knot(value, &part);
    return (curve[knot] + part * (curve[knot + 1] - curve[knot])) / 100;
}

// The margin that a value above 0 stands for.
static double margin_of(int value) {
    if (hop_is_proven(value))
        return hop_margin(value);
    if (value > HOP_RACE_WON)
        return (value - HOP_RACE_WON + HOP_RACE_PIECE - 1) / HOP_RACE_PIECE;
    return expected(value);
}

double hop_score(const void *state, int value) {
    const struct hop_field f = field_of_state(state);
    const int pieces = bits_count(value > 0 ? f.own : f.other);
    const double margin = margin_of(abs(value)), most = margin < pieces ? margin : pieces;
    return value > 0 ? most : -most;
}
