// SPDX-License-Identifier: MIT
#include "engine/reversi/cut.h"

#include <math.h>

// How many standard deviations make up a certainty.
static const double deviations[] = {[CERTAINTY_73] = 1.1,
                                    [CERTAINTY_87] = 1.5,
                                    [CERTAINTY_95] = 2.0,
                                    [CERTAINTY_98] = 2.6,
                                    [CERTAINTY_99] = 3.3};

static double sigma(int probe, int depth, int empties) {
    (void)empties;
    return 3.0 + 0.25 * (depth - probe);
}

struct cut cut_find(const struct variant *v, enum certainty certainty, int depth, int empties) {
    (void)v;
    struct cut c = {.probe = depth >= 3 ? depth / 4 * 2 + depth % 2 : 0};
    if (depth == empties)
        c.probe = depth / 4 * 2 + (depth & 1);
    c.margin = (int)ceil(deviations[certainty] * sigma(c.probe, depth, empties));
    return c;
}
