// SPDX-License-Identifier: MIT
// Games begun at random, for training and measuring.
#pragma once

#include "base/rng.h"
#include "games/game.h"

// Up to ten blocks anywhere, set in the rules; and the empty board.
void draw_blocks(struct ruleset *rules, struct rng *rng, void *state);
// A stone near the centre of a large board; or one, three or five of them.
void draw_stone(const struct ruleset *rules, struct rng *rng, void *state);
void draw_opening(const struct ruleset *rules, struct rng *rng, void *state);
