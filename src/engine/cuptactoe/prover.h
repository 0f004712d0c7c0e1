// SPDX-License-Identifier: MIT
// Can a win be forced within so many plies? Lines and lifts alone decide here; the limit of turns
// is the caller's.
#pragma once

#include "engine/cuptactoe/atlas.h"
#include "engine/stop.h"
#include "engine/tt.h"

struct prover {
    const struct atlas *atlas;
    const struct threes *threes;
    struct tt *tt;     // keeps what is proven; may be shared by threads
    struct stop *stop; // NULL: it runs to its end
    uint64_t nodes;    // positions looked at
    bool stopped;      // then the last answer says nothing
};

// Is the game going on in this position won, or lost, for the player to move within so many plies?
bool prover_wins(struct prover *prover, const struct cupboard *board, int plies);
bool prover_loses(struct prover *prover, const struct cupboard *board, int plies);

enum { RANK_MOST = 255 };
// How little the opponent can do after a move: his moves that do not lose at once, or RANK_MOST if
// he wins at once. A good order to try moves in.
int prover_rank(const struct prover *prover, const struct cup_step *step);
