// SPDX-License-Identifier: MIT
// What a value of the search means in pieces.
#pragma once

#include "games/hopchess.h"

enum {
    HOP_SCORE_KNOT = 100, // values from one knot to the next
    HOP_SCORE_KNOTS = 2,  // besides 0
};

// The score to expect of the player to move less that of the other, in pieces, from a value of the
// search: of a game won for certain and of a race the margin, else what such values came to in
// games.
double hop_score(const void *state, int value);
// The knot of the curve at or before a value from 0 on, and how far it is to the next.
int hop_score_knot(int value, double *part);
