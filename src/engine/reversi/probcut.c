// SPDX-License-Identifier: MIT
// The value of a deep search is that of a short one and an error, about normal; its deviation has
// been measured (train/reversi/probcut.c) and fitted as the exponential of a sum, which also tells
// of depths too deep to measure. A short search whose value is further outside the window than so
// many deviations settles the question.
#include "engine/reversi/probcut.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>

// The logarithm of the deviation: a constant, and factors of what it depends on.
struct slopes {
    double one, probe, depth, empties, square; // the last of the square of the empty squares
};

// Made by `arbiter train reversi probcut`; docs/reversi.md has the commands.
static const struct {
    struct slopes middle, end;
} fitted[BOARD_KINDS] = {
    [BOARD_OPEN] = {{1.9371, -0.0942, 0.0544, -0.08331, 0.000608}, {1.2865, -0.0364, 0, 0, 0}},
    [BOARD_OTHELLO] = {{1.9068, -0.1482, 0.0838, -0.04395, 0.000106}, {2.2601, -0.0937, 0, 0, 0}},
};

double probcut_sigma(enum board_kind kind, int probe, int depth, int empties) {
    assert(probe >= 0 && depth >= 0 && empties >= 0);
    const struct slopes *s = depth >= empties ? &fitted[kind].end : &fitted[kind].middle;
    return exp(s->one + s->probe * probe + s->depth * depth + s->empties * empties +
               s->square * empties * empties);
}

// How many standard deviations make up a certainty.
static const double deviations[] = {[CERTAINTY_73] = 1.1,
                                    [CERTAINTY_87] = 1.5,
                                    [CERTAINTY_95] = 2.0,
                                    [CERTAINTY_98] = 2.6,
                                    [CERTAINTY_99] = 3.3};

// Searches to the end that leave something out only prepare the one that does not: the fewer nodes
// they take, the better, as long as they mostly tell the best move. Less caution than they are
// named for serves them best.
static const double ending_caution = 0.7;

static struct cut find(enum board_kind kind, enum certainty certainty, int depth, int empties) {
    enum { DEPTH_MIN = 3 };
    const int probe = depth >= DEPTH_MIN ? depth / 4 * 2 + depth % 2 : 0;
    const double caution = depth == empties ? ending_caution : 1;
    const double margin =
        caution * deviations[certainty] * probcut_sigma(kind, probe, depth, empties);
    return (struct cut){.probe = (int8_t)probe, .margin = (int8_t)fmin(ceil(margin), INT8_MAX)};
}

// Written once, before anybody reads them.
static struct cuts made[BOARD_KINDS];

static void probcut_make(void) {
    for (int kind = 0; kind < BOARD_KINDS; kind++)
        for (int c = 0; c < CERTAIN; c++)
            for (int depth = 0; depth < CUT_DEPTHS; depth++)
                for (int empties = 0; empties < CUT_DEPTHS; empties++)
                    made[kind].cut[c][depth][empties] =
                        find((enum board_kind)kind, (enum certainty)c, depth, empties);
}

const struct cuts *cuts_find(enum board_kind kind) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, probcut_make);
    return &made[kind];
}
