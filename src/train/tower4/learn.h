// SPDX-License-Identifier: MIT
// Fits the net of tower4 to games. A network is not linear in its weights, so this is not fit.h: it
// follows the gradient by small batches (Adam).
#pragma once

#include "engine/tower4/search.h"
#include "train/generations.h"

// A ply of a game that was played; a game is as many of them as the rules have pieces.
struct played {
    uint8_t column;
    uint8_t searched; // 0: drawn at random
    int16_t gain;     // what the search expected for the mover, in points
};

// A generation plays with the net, and learns on from the weights.
struct tower_player {
    struct lattice lattice;
    struct tower_weights weights;
    struct net *net;
};

extern const struct generations tower_generations; // of tower_players

// What the mover gained from every ply of a game to its end. The tower is empty before and full
// afterwards.
void tower_gains(struct tower_board *tower, const struct played *game,
                 int gain[static DROPS_MAX + 1]);
// Changes the weights of the player, and packs them. As of struct generations.
bool tower_learn(const struct generation *generation, struct buf *samples, struct buf *packed,
                 struct err *err);
