// SPDX-License-Identifier: MIT
// Players to measure the engines against. They share the rules with them, and nothing else.
#pragma once

#include "games/game.h"

#include <stdint.h>

int64_t baseline_now_us(void);
uint64_t baseline_random(uint64_t *seed);
// What each baseline is: a move of a running game, found before the time is up.
move baseline_choose(const struct game *game, const void *state, int64_t until_us, uint64_t *seed);
