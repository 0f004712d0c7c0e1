// SPDX-License-Identifier: MIT
// The state of hopchess, for those who search it.
#pragma once

#include "games/game.h"
#include "games/hop.h"

// How it ends.
enum { ENDING_HOME = 1, ENDING_MOVES };

struct hopchess {
    uint64_t piece[2];  // [player - 1]
    uint16_t turns;     // taken or skipped so far, by both
    uint16_t max_turns; // when the game ends
    uint8_t max_hops;
    uint8_t ending, winner; // as in struct outcome
    uint8_t unused;         // keeps the state free of padding
};

enum { HOPCHESS_LOOP = HOP_SQUARES - 1 }; // both squares of a move that ends where it began

static inline move hopchess_move(int from, int to, hop_set set) {
    return (move)from << 15 | (move)to << 9 | set;
}
