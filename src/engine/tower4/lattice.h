// SPDX-License-Identifier: MIT
// The cells and lines of a tower4 field, numbered for the search. A column has a number from 0; a
// cell is layer * 32 + column, so that a layer is a word of 32 bits.
// Made once for a ruleset and only read afterwards.
#pragma once

#include "games/game.h"

enum {
    LAYERS = 6,
    COLUMNS_MAX = 32,
    CELLS = LAYERS * COLUMNS_MAX,
    LINES_MAX = 600,
    THROUGH_MAX = 39, // lines through a cell, at most
    MIRRORS = 8,      // of the square, the plain view first
    ORBITS_MAX = 104, // classes of lines that mirrors take into each other
    // The stones on a line, a bit for each cell of black's, then of white's.
    LINE_STATES = 256,
    LINE_FULL = 15, // the bits of all its cells
    // How a player sees a line: without stones; his own 1 to 3, by their places and by which of the
    // free cells can be reached now; the same of the other; stones of both, or four.
    KIND_OTHER = 64, // further than those of his own, which begin at 1
    KIND_DEAD = 129,
    KINDS = 130,
    // By the number of stones alone.
    STONES_OWN = 0,
    STONES_OTHER = 3,
    STONES_DEAD = 7,
    STONES = 8,
    LACKS_MORE = 4, // not one cell
};

struct lattice {
    int columns, lines;
    int pieces;                   // when the game ends
    uint8_t move[COLUMNS_MAX];    // of the rules, by column
    uint8_t column[64];           // and back
    uint8_t cell[LINES_MAX][4];   // of each line, from its lower end, in the order of its class
    uint8_t through_count[CELLS]; // lines through a cell
    uint16_t through[CELLS][THROUGH_MAX]; // 4 * line + place of the cell in it
    // Of a line, as a colour sees it, by its stones and the cells with nothing free below them.
    uint8_t kind[2][LINE_STATES][LINE_FULL + 1];
    uint8_t stones[2][LINE_STATES];
    uint8_t lack[LINE_STATES];            // the place that one colour lacks with three stones
    uint8_t mirror[MIRRORS][COLUMNS_MAX]; // where a column goes
    uint8_t unmirror[MIRRORS][COLUMNS_MAX];
    uint8_t orbit[LINES_MAX]; // class of a line
    int orbits;
    uint64_t key[2][CELLS];       // of a piece, by colour
    int16_t worth[LINES_MAX + 1]; // points of the first n lines together
};

static inline int cell_layer(int cell) { return cell / COLUMNS_MAX; }

static inline int cell_column(int cell) { return cell % COLUMNS_MAX; }

// The value of `corners`.
int lattice_corners(const struct ruleset *rules);
void lattice_init(struct lattice *lattice, const struct ruleset *rules);
