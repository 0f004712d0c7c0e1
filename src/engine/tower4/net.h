// SPDX-License-Identifier: MIT
// The evaluation of tower4: a small network over what the board keeps up to date. 16 units sum rows
// of weights: one row for each line by its class and where its stones are, one for each column by
// its height and the lines that wait above it, one for the pieces left, one for the lines made. A
// unit's sum goes on with one weight if it is positive and with another if not. A net is read by
// any number of threads, and belongs to whoever made it.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "engine/tower4/lattice.h"

enum {
    UNITS = 16,
    // Cells of a column from the next free one up, 4 of them: two bits each, whether one's own line
    // lacks it, and whether the other's does.
    PATTERNS = 256,
    LEFT_MAX = 64, // more pieces left count as so many
    STAGES = 17,   // of the pieces left, four each
    MADE_MAX = 15, // more lines made count as so many
    ROWS_LINE = 0,
    ROWS_COLUMN = ROWS_LINE + ORBITS_MAX * KINDS,
    ROWS_LEFT = ROWS_COLUMN + LAYERS * PATTERNS,
    ROWS_MADE = ROWS_LEFT + LEFT_MAX + 1,
    ROWS = ROWS_MADE + MADE_MAX + 1,
    ROW_UNIT = 256, // 1.0 in a row
    OUT_UNIT = 256, // and in what goes out
};

// The weights, as they are packed: all of them int16_t.
struct tower_weights {
    int16_t row[ROWS][UNITS];
    int16_t out[STAGES][2][UNITS]; // of sums below 0, and above
};

struct net {
    struct tower_weights weights;
    // What a line of this kind adds to the sums of the player who sees it so, and to the other's.
    _Alignas(64) int16_t line[ORBITS_MAX][KINDS][2][UNITS]; // a cache line each
};

enum { WEIGHTS = sizeof(struct tower_weights) / sizeof(int16_t) };

// Those that the program carries, made when it is built: of the field with one column missing at
// each corner, and with three.
extern const struct net tower_nets[2];

static inline const struct net *tower_net_find(const struct ruleset *rules) {
    return &tower_nets[lattice_corners(rules) == 3];
}
// All weights are 0 if there are none (NULL). Freed with free().
struct net *tower_net_of(const struct tower_weights *weights);
// Packed weights for the field of a ruleset.
bool tower_net_read(const void *bytes, size_t size, const struct ruleset *rules,
                    struct tower_weights *weights, struct err *err);
void tower_net_write(const struct tower_weights *weights, const struct ruleset *rules,
                     struct buf *out);
