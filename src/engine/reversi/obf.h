// SPDX-License-Identifier: MIT
// Positions as the Othello world writes them, with the values of moves.
//
// A line is 64 squares row by row (X, O, and - or . for an empty one), a blank, who moves (X or O),
// and a semicolon; then moves with their values, each "H5:+6;": column, row, and what the mover
// gains by it. On the open board a corner is written - or . or #, and is no square. An entry
// "--:..." is no move. Lines that are empty or begin with % are remarks.
#pragma once

#include "engine/reversi/board.h"

enum { OBF_MOVES_MAX = 64 };

struct obf {
    struct board board; // seen by who moves
    int count;          // of moves with a value
    struct {
        int square, value;
    } move[OBF_MOVES_MAX];
};

// Is there nothing to read in this line?
bool obf_is_remark(const char *line);
// Returns why the line is no position, or NULL. The game must not be over there; if only the
// opponent can move, no moves are listed.
const char *obf_read(const char *line, const struct variant *v, struct obf *obf);
// The value listed for a square, and the best one of all; false if there is none.
bool obf_value(const struct obf *obf, int square, int *value);
bool obf_best(const struct obf *obf, int *value);
// A square as in "H5".
void obf_write_square(int square, char text[static 3]);
