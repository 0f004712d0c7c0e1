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
};

struct lattice {
    int columns, lines;
    int pieces;                   // when the game ends
    uint8_t move[COLUMNS_MAX];    // of the rules, by column
    uint8_t column[64];           // and back
    uint8_t cell[LINES_MAX][4];   // of each line, from its lower end
    uint8_t through_count[CELLS]; // lines through a cell
    uint16_t through[CELLS][THROUGH_MAX];
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
