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
    uint64_t nodes;   // of a move
    int first, pairs; // of games: the same random opening twice, colours swapped
};

// Values of pairs of games.
struct spread {
    double sum, squares;
    int64_t count;
};

// What the first rival has made of it: sums, so that tallies of parts of a duel add up.
struct duel_tally {
    int64_t won, drawn, lost;
    struct spread points, margins; // a game, in the mean of a pair; margins of the scores
    // Of both rivals: depths in sum, moves, nodes, CPU seconds.
    int64_t depths[2], moves[2], nodes[2];
    double seconds[2];
};

void duel_play(const struct duel *duel, struct duel_tally *tally);
void tally_add(struct duel_tally *tally, const struct duel_tally *part);
// In words; errors are half of the 95 % interval.
void tally_write(const struct duel_tally *tally, struct buf *out);
