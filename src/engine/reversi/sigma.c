// SPDX-License-Identifier: MIT
#include "engine/reversi/sigma.h"

#include <math.h>

// The logarithm of the deviation: a constant, and factors of what it depends on.
struct slopes {
    double one, probe, depth, empties, square; // the last of the square of the empty squares
};

// Made by `arbiter train reversi probcut`; docs/reversi.md has the commands.
static const struct {
    struct slopes middle, end;
} fitted[BOARD_KINDS] = {
    [BOARD_OPEN] = {{1.9371, -0.0942, 0.0544, -0.08331, 0.000608}, {1.2865, -0.0364, 0, 0, 0}},
    [BOARD_OTHELLO] = {{1.8846, -0.1535, 0.0706, -0.02044, -0.000107}, {2.3540, -0.0864, 0, 0, 0}},
};

double sigma_find(enum board_kind kind, int probe, int depth, int empties) {
    const struct slopes *s = depth >= empties ? &fitted[kind].end : &fitted[kind].middle;
    return exp(s->one + s->probe * probe + s->depth * depth + s->empties * empties +
               s->square * empties * empties);
}
