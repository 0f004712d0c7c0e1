// SPDX-License-Identifier: MIT
// The exact solver without an evaluation, for the last fifteen empty squares or so.
#pragma once

#include "engine/reversi/search.h"

// Is the value above alpha? A value above it is a lower bound, another an upper bound.
int end_solve(struct reversi_search *s, const struct board *b, int alpha);
