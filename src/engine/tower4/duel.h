// SPDX-License-Identifier: MIT
// Games between two searches of tower4 with the same nodes, to find out which is stronger.
#pragma once

#include "base/buf.h"
#include "engine/tower4/search.h"

struct rival {
    const struct net *net;
    uint32_t without; // techniques left out, as of a search
};

struct duel {
    const struct lattice *lattice;
    struct rival rival[2];
    uint64_t seed;
    uint64_t nodes; // of a move
    int pairs;      // of games: the same random opening twice, colours swapped
};

// What the first rival has made of it.
struct tally {
    int32_t won, drawn, lost;
    double points, points_error; // a game, and half of the 95 % interval, from the pairs
    double margin, margin_error; // of the scores, the same
    double depth[2], second[2];  // of both rivals: mean depth, CPU seconds a million nodes
};

void duel_play(const struct duel *duel, struct tally *tally);
// In words.
void tally_write(const struct tally *tally, struct buf *out);
