// SPDX-License-Identifier: MIT
// What a tower4 position is worth before the end: the gain to expect.
#pragma once

#include "engine/tower4/tower.h"

enum { POINT = 16 }; // a point, in units of the search's values

extern const int tower_line_worth[LINE_STATES]; // what the stones on a line are worth to black
// The gain that the mover can expect, where no drop is left to look at.
int tower_gain(const struct tower *tower);
