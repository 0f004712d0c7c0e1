// SPDX-License-Identifier: MIT
// Who goes on from one stage to the next.
#pragma once

#include "contest/state.h"

// Fills in those who go on from a stage that is over, best seed first: the best of each group, then
// the second of each, and so on. Where the next stage is a knock-out, those of equal place change
// seeds so that in its first round nobody meets somebody of his own group, if that can be avoided.
// Returns how many they are.
int advance_from(const struct state *state, int stage, int *players);
