// SPDX-License-Identifier: MIT
// Finds wins by threats: the attacker's every turn makes threats that must be stopped at once,
// until they cannot be. What it claims is won under the rules, whatever the defender does; where it
// finds nothing, nothing is said.
#pragma once

#include "engine/connect6/threats.h"
#include "engine/stop.h"

enum { SOLVER_DEPTH_MAX = 24 };

struct solver;

// A win by force.
struct forced {
    int16_t a, b; // the stones of this turn; NO_CELL where none is due, or one is enough
    int turns;    // of the attacker, this one included, if the defender holds out
    // Cells that matter: the win stands with as many stones more for the defender as asked for, if
    // they lie elsewhere.
    struct cells zone;
};

struct quest {
    int attacker;    // whose turn it is
    int stones;      // that he has in this turn; 0: it is over, and counts among its turns
    int depth;       // turns to look ahead; those with free stones have a bound of their own
    int extra;       // stones of the defender that the zone stands for; 0: no zone is needed
    bool singles;    // also turns that leave the defender a free stone
    uint64_t budget; // stones to place while looking
};

// The board and the stop are borrowed; a solver counts its stones in `nodes`.
struct solver *solver_new(struct board6 *board, struct stop *stop, uint64_t *nodes);
void solver_free(struct solver *solver);
void solver_forget(struct solver *solver);
// Looks one turn ahead, then two, and so on. The board is left as it was.
bool solver_win(struct solver *solver, const struct quest *quest, struct forced *forced);
