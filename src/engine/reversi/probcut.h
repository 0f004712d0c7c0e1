// SPDX-License-Identifier: MIT
// When a shallow search says enough about a deep one (Multi-ProbCut).
#pragma once

#include "engine/reversi/board.h"

// How sure a search is of what it does not look at, as the kind of entries in the table. The last
// looks at everything.
enum certainty { CERTAINTY_73, CERTAINTY_87, CERTAINTY_95, CERTAINTY_98, CERTAINTY_99, CERTAIN };

struct cut {
    int8_t probe;  // the depth to search instead; 0: no cut
    int8_t margin; // discs by which its value must be outside the window
};

enum { CUT_DEPTHS = 61 };

// The cuts of one board, by certainty, depth and empty squares.
struct cuts {
    struct cut cut[CERTAIN][CUT_DEPTHS][CUT_DEPTHS];
};

// There is one for all, made when first asked for.
const struct cuts *cuts_find(enum board_kind kind);

// The standard deviation, in discs, of the value of a search of `depth` plies about that of one of
// `probe` plies, at so many empty squares; of the true value if the depth is their number.
double probcut_sigma(enum board_kind kind, int probe, int depth, int empties);
