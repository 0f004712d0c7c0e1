// SPDX-License-Identifier: MIT
// A state of Cup-Tac-Toe, for those who search in it.
#pragma once

// How it ends.
enum { ENDING_LINE = 1, ENDING_LIFT, ENDING_TURNS };

#include <stdbool.h>
#include <stdint.h>

enum {
    CUPS_CELLS = 9, // numbered row by row
    CUPS_SIZES = 3,
    CUPS_EACH = 2, // cups of a player and size
    // A move is its source times CUPS_CELLS plus the cell it goes to. A source is a size in hand,
    // or CUPS_SIZES + a cell.
    CUPS_SOURCES = CUPS_SIZES + CUPS_CELLS,
    CUPS_BOARD = (1 << CUPS_CELLS) - 1, // all cells
    CUPS_LINES = 8,
};

static const uint16_t cups_lines[CUPS_LINES] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

// For each player and size the cells that hold such a cup, a bit a cell; a cell holds at most one
// cup of each size, the largest on top. Hands are what is not on the board.
struct cups {
    uint16_t cup[2][CUPS_SIZES]; // [player - 1][size - 1]: cells
    uint8_t turns;               // taken so far
    uint8_t max_turns;           // after which the second player has won
    uint8_t ending, winner;      // as in struct outcome
};

static inline bool cups_has_line(unsigned cells) {
    for (int i = 0; i < CUPS_LINES; i++)
        if ((cells & cups_lines[i]) == cups_lines[i])
            return true;
    return false;
}
