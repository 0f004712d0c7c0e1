// SPDX-License-Identifier: MIT
#include "engine/reversi/cut.h"

#include "engine/reversi/sigma.h"

#include <math.h>

// How many standard deviations make up a certainty.
static const double deviations[] = {[CERTAINTY_73] = 1.1,
                                    [CERTAINTY_87] = 1.5,
                                    [CERTAINTY_95] = 2.0,
                                    [CERTAINTY_98] = 2.6,
                                    [CERTAINTY_99] = 3.3};

// Searches to the end that leave something out only prepare the one that does not: the fewer nodes
// they take, the better, as long as they mostly tell the best move. Less caution than they are
// named for serves them best.
static const double ending_caution = 0.52;

struct cut cut_find(const struct variant *v, enum certainty certainty, int depth, int empties) {
    struct cut c = {.probe = depth >= 3 ? depth / 4 * 2 + depth % 2 : 0};
    const double caution = depth == empties ? ending_caution : 1;
    c.margin =
        (int)ceil(caution * deviations[certainty] * sigma_find(v->kind, c.probe, depth, empties));
    return c;
}
