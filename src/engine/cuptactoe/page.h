// SPDX-License-Identifier: MIT
// Rows of positions and where moves lead from them. A row is the positions that differ in their
// small cups alone. A page is all rows with the same large cups of the opponent: no move of the
// player to move leaves it, before the board is turned to be seen by the opponent.
#pragma once

#include "engine/cuptactoe/atlas.h"

#include <stdbool.h>

enum {
    ROWS = SHAPES * LAYERS,    // of all values: by shape, then medium layer
    PAGE_ROWS = SETS * LAYERS, // of a page, at most: by place, then medium layer
    CHOICES_MAX = 2 * (1 + CUPS_EACH),
};

struct cup_page {
    const struct atlas *atlas;
    int other;           // set of the opponent's large cups
    int rows;            // in use
    uint8_t own[SETS];   // sets, by place
    uint8_t place[SETS]; // of a set
};

// A cup taken, from the hand or the board, and the rows that putting it down leads to.
struct cup_choice {
    uint64_t safe; // the opponent's sets of small cups of which it uncovers no line
    int count;
    int row[CUPS_CELLS];
};

// `other` is a set that the atlas has pages for.
void page_init(struct cup_page *page, const struct atlas *atlas, int other);

// What is left on the board when a cup is taken; all, when it comes from the hand.
int page_left(unsigned own, unsigned movable, unsigned left[static 1 + CUPS_EACH]);
// The moves of large and medium cups from a row; those of small ones stay within it.
int page_choices(const struct cup_page *page, int row,
                 struct cup_choice choices[static CHOICES_MAX]);
struct cup_view page_view(const struct cup_page *page, int row);

// The row of values about these positions, or -1 if their large layer is not that of its shape:
// then they are, turned, in another row.
int page_target(const struct cup_page *page, int row);
// The row of values about these positions when the opponent is to move; its layer k is flipped[k]
// there.
int page_source(const struct cup_page *page, int row, const uint16_t **flipped);

static inline unsigned lowest(unsigned cells) { return cells & -cells; }
