// SPDX-License-Identifier: MIT
// Shows that a turn is lost whatever its player does: the solver refutes every defence.
#pragma once

#include "engine/connect6/search.h"

// A turn that is lost.
struct loss {
    int16_t cell[2]; // the stones that hold out longest; NO_CELL: there is nothing better than any
    int turns;       // of the other until he has won
};

// Does the player who is not the attacker lose, who has so many stones left in his turn (0 to 2)?
// Places so many stones at most while looking; where it finds no proof nothing is said. The board
// is left as it was.
bool loss_find(struct searcher *searcher, int attacker, int stones, uint64_t budget,
               struct loss *loss);
