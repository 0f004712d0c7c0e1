// SPDX-License-Identifier: MIT
// Players that know no more than the rules.
#pragma once

#include "base/rng.h"
#include "games/game.h"

// Any legal move, each as likely. The game must not be over.
move simple_random(const struct game *game, const void *state, struct rng *rng);
// Looks one move ahead: wins if it can, does not lose by its own move, and otherwise takes
// the best score; a random one of equals.
move simple_greedy(const struct game *game, const void *state, struct rng *rng);
