// SPDX-License-Identifier: MIT
// What the rules of connect6 can beyond struct game.
#pragma once

#include "games/game.h"

// How it ends.
enum { ENDING_SIX = 1, ENDING_OVERLINE, ENDING_FULL };

// Blocks a cell of a board on which there is no stone yet, however many are blocked already: a
// judge may name more of them than our own contests draw. Returns why that cannot be, or NULL.
const char *connect6_block(void *state, const struct ruleset *rules, int x, int y);
