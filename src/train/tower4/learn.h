// SPDX-License-Identifier: MIT
// Fits the net of tower4 to games. A network is not linear in its weights, so this is not fit.h: it
// follows the gradient by small batches (Adam).
#pragma once

#include "train/tower4/selfplay.h"

struct tower_learning {
    const struct lattice *lattice;
    const struct played *games; // one after the other, each of the lattice's pieces
    size_t count;               // of games
    size_t held;                // the last of them are left out, to measure with
    int passes;                 // through the games
    double result; // share of the game's result in what is aimed at; search has the rest
    uint64_t seed;
    // After a pass: errors in points, root mean square, weighted by what lines are worth.
    void (*tell)(void *listener, int pass, double trained, double held);
    void *listener;
};

// What the mover gained from every ply of a game to its end. The tower is empty before and full
// afterwards.
void tower_gains(struct tower *tower, const struct played *game, int gain[static DROPS_MAX + 1]);
// Goes on from the weights given; zeros are a beginning.
void tower_learn(const struct tower_learning *learning, struct tower_weights *weights);
