// SPDX-License-Identifier: MIT
// Plays a board with few empty cells to its end, in every way that can matter: the value is exact.
#pragma once

#include "engine/connect6/search.h"

enum { FINISH_CELLS = 20 }; // more empty cells are not tried

// Finds the value for the player to move, in the turn of this number, and adds the best line to the
// thought; false if it takes more stones than that. A cell must be left. The board is left as it
// was.
bool finish_solve(struct searcher *searcher, int turn, uint64_t budget, struct thought *thought);
