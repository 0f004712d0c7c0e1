// SPDX-License-Identifier: MIT
// Fits the net of connect6 to games. A network is not linear in its weights, so this is not fit.h:
// it follows the gradient by small batches (Adam).
#pragma once

#include "engine/connect6/net.h"
#include "train/generations.h"

// A generation plays with the net, and learns on from the weights.
struct connect6_player {
    struct net6_weights weights;
    struct net6 net;
};

// Changes the weights of the player, and packs them. As of struct generations.
bool connect6_learn(const struct generation *generation, struct buf *samples, struct buf *packed,
                    struct err *err);
