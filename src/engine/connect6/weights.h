// SPDX-License-Identifier: MIT
// What the kinds of lines are worth.
#pragma once

#include "engine/connect6/lines.h"

// What the best two lines through a cell make together: the shapes from LIVE2 to SIX, or less.
enum { CROSS_SHAPES = SHAPE_OVER - SHAPE_LIVE2 + 1, CROSSES = CROSS_SHAPES * CROSS_SHAPES };

struct weights6 {
    // For every empty cell and direction, by what a stone there would make: to the player whose
    // turn it is, and to the one who waits; in hundredths of a stone.
    int16_t turn[LINE_KINDS], wait[LINE_KINDS];
    // For every empty cell, by its best two lines: better * CROSS_SHAPES + other.
    int16_t turn_cross[CROSSES], wait_cross[CROSSES];
    int16_t tempo;             // what the turn itself is worth
    int16_t order[LINE_KINDS]; // how urgent a stone there is: the order in which moves are tried
};

extern const struct weights6 connect6_weights;
