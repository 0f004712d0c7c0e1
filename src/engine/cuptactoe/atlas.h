// SPDX-License-Identifier: MIT
// Numbers for the positions of Cup-Tac-Toe. The cups of one size are a layer: a set of at most two
// cells for each player. Three layers, small, medium and large, make a position without its turns.
// All is seen by the player to move: `own` cups are his, `other` ones the opponent's.
#pragma once

#include "engine/cuptactoe/cupboard.h"

#include <stddef.h>

enum {
    SETS = 46,     // of at most two cells: 1 + 9 + 36
    LAYERS = 1423, // pairs of sets that share no cell
    SYMMETRIES = 8,
    SHAPES = 219, // layers, counting those as one that a symmetry carries into each other
    PAGES = 12,   // sets, counted so
    NO_SET = 255,
    NO_LAYER = 65535,
};

// Positions that have a number: the large layer by its shape, the others as they are. What is left
// of symmetry, where the large layer has some itself, makes a few positions have several.
#define SLOTS ((size_t)SHAPES * LAYERS * LAYERS)
#define ALL_SETS ((UINT64_C(1) << SETS) - 1)

struct atlas {
    uint8_t cell[SYMMETRIES][CUPS_CELLS];   // where a symmetry carries a cell
    uint8_t uncell[SYMMETRIES][CUPS_CELLS]; // where it comes from
    uint16_t cells[SETS];          // the members of a set; by number of cells, then ascending
    uint8_t set[CUPS_BOARD + 1];   // with just these cells, or NO_SET
    uint64_t with[CUPS_BOARD + 1]; // the sets that hold all these cells, a bit a set
    uint64_t apart[SETS];          // the sets that share no cell with it
    uint16_t layer[SETS][SETS];    // [own][other], or NO_LAYER
    uint8_t own[LAYERS], other[LAYERS];
    uint16_t first[SETS + 1]; // the layers of an own set are first[set] .. first[set + 1] - 1
    uint16_t turned[SYMMETRIES][LAYERS];
    uint16_t flipped[SYMMETRIES][LAYERS]; // seen by the opponent, then turned
    uint8_t shape[LAYERS];
    uint8_t turn[LAYERS];  // a symmetry that carries the layer to layer_of_shape
    uint8_t turns[LAYERS]; // all that do, a bit each
    uint16_t layer_of_shape[SHAPES];
    uint8_t weight[SHAPES]; // layers of this shape
    uint8_t page[PAGES];    // the sets that are `other` in some layer_of_shape
};

struct atlas *atlas_new(void); // freed with free()

// The number of a position, and the symmetry that carries it to the one of that number. Positions
// that a symmetry carries into each other have the same.
size_t atlas_slot(const struct atlas *atlas, const struct cupboard *board, int *symmetry);

// What is seen of the large and medium layers: the players' cups, and cells with neither, where
// small cups can be seen.
struct cup_view {
    uint16_t own, other, bare;
};

static inline struct cup_view view_of(unsigned large_own, unsigned large_other, unsigned medium_own,
                                      unsigned medium_other) {
    const unsigned large = large_own | large_other;
    return (struct cup_view){.own = (uint16_t)(large_own | (medium_own & ~large)),
                             .other = (uint16_t)(large_other | (medium_other & ~large)),
                             .bare = (uint16_t)(CUPS_BOARD & ~(large | medium_own | medium_other))};
}

// The sets of small cups that make a line on bare cells together with what else is seen.
uint64_t atlas_lines(const struct atlas *atlas, unsigned seen, unsigned bare);
