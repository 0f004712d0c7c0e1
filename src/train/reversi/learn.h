// SPDX-License-Identifier: MIT
// New weights from samples.
#pragma once

#include "train/generations.h"
#include "train/reversi/selfplay.h"

extern const struct generations reversi_generations; // an eval plays
// Packs them, made of samples whose order and scores it changes. As of a trainer.
bool reversi_learn(const struct generation *generation, struct buf *samples, struct buf *packed,
                   struct err *err);
