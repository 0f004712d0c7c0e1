// SPDX-License-Identifier: MIT
#pragma once

#include "games/game.h"

// Positions reached after `depth` moves, 1 or more; a game that ends before counts as one.
uint64_t perft_count(const struct game *game, const union game_state *state, int depth);
