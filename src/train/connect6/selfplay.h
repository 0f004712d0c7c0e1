// SPDX-License-Identifier: MIT
// Games of connect6 that the player plays against itself, to learn from: the positions where a turn
// begins and nobody threatens to win at once, with what a search thought of them and how the game
// ended. Beside each stands another, which a turn that was not played leads to: a search judges
// many of that kind, and no game comes to them.
#pragma once

#include "games/grid.h"
#include "train/generations.h"

struct sample6 {
    char grid[GRID_CELLS_MAX]; // row by row: X, O, # or another for an empty cell
    uint8_t mover;             // 0 or 1
    uint8_t exact;             // the value is proven
    int16_t value;             // of the search, for the mover
    int16_t stones[2];         // of the turn that it chose
    float won;                 // by the mover: 0, 1/2, 1; below 0: the game went elsewhere
};

// As of struct generations.
void connect6_selfplay(const struct generation *generation, int64_t first, int64_t end,
                       struct buf *out);
