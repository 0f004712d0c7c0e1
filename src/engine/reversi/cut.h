// SPDX-License-Identifier: MIT
// When a shallow search says enough about a deep one (Multi-ProbCut).
#pragma once

#include "engine/reversi/search.h"

struct cut {
    int probe;  // the depth to search instead
    int margin; // discs by which its value must be outside the window
};

// For a search of this depth at so many empty squares; a probe of 0 or less: none.
struct cut cut_find(const struct variant *v, enum certainty certainty, int depth, int empties);
