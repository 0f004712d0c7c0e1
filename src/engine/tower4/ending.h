// SPDX-License-Identifier: MIT
// The last plies of tower4, exactly.
#pragma once

#include "engine/tower4/tower.h"

// The gain in points of the last drop of the game, and of the last two.
int ending_one(const struct tower_board *tower);
int ending_two(const struct tower_board *tower);
// The columns where a drop can matter to any line before the game ends; drops elsewhere are all the
// same.
uint32_t ending_columns(const struct tower_board *tower);
