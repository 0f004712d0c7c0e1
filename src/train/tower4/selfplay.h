// SPDX-License-Identifier: MIT
// Games of the tower4 engine against itself, for the training.
#pragma once

#include "base/buf.h"
#include "engine/tower4/search.h"

struct tower_selfplay {
    const struct lattice *lattice;
    const struct net *net;
    uint64_t seed;
    uint64_t nodes; // of a search
};

// A ply of a game that was played; a game is as many of them as the rules have pieces.
struct played {
    uint8_t column;
    uint8_t searched; // 0: drawn at random
    int16_t gain;     // what the search expected for the mover, in points
};

// Appends a game, which depends on nothing but its number.
void tower_selfplay(const struct tower_selfplay *play, uint32_t number, struct tower_search *search,
                    struct buf *out);
