// SPDX-License-Identifier: MIT
// Fits the net of hopchess to games. A network is not linear in its weights, so this is not fit.h:
// it follows the gradient by small batches (Adam).
#pragma once

#include "train/generations.h"
#include "train/hopchess/selfplay.h"

extern const struct generations hop_generations; // a hopnet plays
// Packs a net that is learned from nothing. As of struct generations.
bool hop_learn(const struct generation *generation, struct buf *samples, struct buf *packed,
               struct err *err);
