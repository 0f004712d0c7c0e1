// SPDX-License-Identifier: MIT
// The best answers of a position, one after the other.
#pragma once

#include "engine/engine.h"

enum { SEVERAL_MAX = 10 };

// Up to `most` thoughts of different answers, the best for the player first; returns how many there
// are. They share the limits evenly. An answer is a move, or a turn where the engine thinks in
// turns. A value is that of its answer alone, and so is what is exact about it. The game must not
// be over.
int brain_think_several(struct brain *brain, const struct game *game, const void *state,
                        const struct limits *limits, int most,
                        struct thought thoughts[static SEVERAL_MAX]);
