// SPDX-License-Identifier: MIT
// A tower4 position for the search: what a drop changes is kept up to date by the drop, and taken
// back by the reverse. Values are gains: points still to come, the mover's less the other's, so
// that positions that differ only in points already made are one.
// The caller owns it; the lattice and the net must outlive it.
#pragma once

#include "engine/tower4/net.h"

enum { DROPS_MAX = CELLS };

struct tower_board {
    const struct lattice *lattice;
    const struct net *net;
    uint32_t taken[LAYERS];      // columns that reach above the layer
    uint32_t black[LAYERS];      // of those, black ones
    uint32_t three[2][LAYERS];   // cells that a colour lacks for a line; some are taken
    uint8_t threes[2][CELLS];    // and for how many lines; of a taken cell, when it was taken
    uint16_t marks[COLUMNS_MAX]; // the same by column: bit 2 * layer + colour
    uint8_t height[COLUMNS_MAX];
    uint8_t line[LINES_MAX]; // stones on it
    uint8_t open[LINES_MAX]; // its cells with nothing free below them
    int played, left;        // pieces; left until the end
    int lines;               // made so far
    int side;                // to move: 0 black, 1 white
    // The key, and those of the mirrored towers; only views that show the first position itself.
    uint64_t key[MIRRORS];
    uint8_t view[MIRRORS];
    int views;
    // Sums of the lines' rows of the net, as each colour sees them, after every drop so far.
    _Alignas(64) int16_t sums[DROPS_MAX + 1][2][UNITS];
};

void tower_init(struct tower_board *tower, const struct lattice *lattice, const struct net *net);
// The position of a game of tower4 under the lattice's rules.
void tower_read(struct tower_board *tower, const struct lattice *lattice, const struct net *net,
                const struct game *game, const void *state);
// From here on, mirrored positions count as one if the position is its own mirror image.
void tower_mirror(struct tower_board *tower);
// Drops a piece of the side to move; the column is not full. Returns the lines it makes.
int tower_drop(struct tower_board *tower, int column);
// Takes back the last drop, which was into this column and made so many lines.
void tower_undo(struct tower_board *tower, int column, int made);

// The columns whose next free cell lies on a layer.
static inline uint32_t tower_next(const struct tower_board *tower, int layer) {
    const uint32_t below = layer == 0 ? UINT32_MAX : tower->taken[layer - 1];
    return below & ~tower->taken[layer];
}

static inline uint32_t tower_columns(const struct tower_board *tower) {
    const uint32_t all = (uint32_t)((UINT64_C(1) << tower->lattice->columns) - 1);
    return all & ~tower->taken[LAYERS - 1];
}

// The columns where a drop makes a line of this colour.
static inline uint32_t tower_hot(const struct tower_board *tower, int side) {
    uint32_t hot = 0;
    for (int layer = 0; layer < LAYERS; layer++)
        hot |= tower_next(tower, layer) & tower->three[side][layer];
    return hot;
}

static inline int tower_cell(const struct tower_board *tower, int column) {
    return tower->height[column] * COLUMNS_MAX + column;
}

// The view whose key stands for the position and all its mirrored ones: the least.
static inline int tower_view(const struct tower_board *tower) {
    int least = 0;
    for (int i = 1; i < tower->views; i++)
        if (tower->key[i] < tower->key[least])
            least = i;
    return least;
}

// Points for so many lines more.
static inline int tower_worth(const struct tower_board *tower, int made) {
    const int16_t *worth = tower->lattice->worth;
    return worth[tower->lines + made] - worth[tower->lines];
}
