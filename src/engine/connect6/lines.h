// SPDX-License-Identifier: MIT
// What a stone makes in one line of a connect6 board, for every way its neighbourhood can look.
// A line is seen by one player: a cell is mine (his stone, or a block that counts), a stop (the
// other's stone, a block that does not count, the edge) or empty.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What a stone makes of the windows of six cells through it, the least first. A threat is a window
// that two more stones fill; threats are counted by the stones that it takes to stop them all.
// DEAD and LIVE n: with 4 - n stones more, one threat, or two.
#define SHAPES(X)                                                                                  \
    X(NONE)                                                                                        \
    X(DEAD1)                                                                                       \
    X(LIVE1)                                                                                       \
    X(DEAD2)                                                                                       \
    X(LIVE2)                                                                                       \
    X(DEAD3)                                                                                       \
    X(LIVE3)                                                                                       \
    X(THREAT)                                                                                      \
    X(DOUBLE)                                                                                      \
    X(TRIPLE)                                                                                      \
    X(SIX)                                                                                         \
    X(OVER) // seven or more where that does not win

enum shape {
#define SHAPE_CONSTANT(id) SHAPE_##id,
    SHAPES(SHAPE_CONSTANT)
#undef SHAPE_CONSTANT
        SHAPE_COUNT
};

enum {
    LINE_REACH = 6,   // cells to either side that matter
    LINE_SIDES = 127, // ways that one side can look: what lies behind a stop does not matter
    KIND_WAYS = 4,    // a shape comes in one to four or more ways
    LINE_KINDS = SHAPE_COUNT * KIND_WAYS,
};

struct line_kinds {
    bool exact; // seven are no six
    // [mine + 64 * stop], bits of six cells: which of the ways a side looks. Right of a cell the
    // first bit is the nearest, left of it the last.
    uint8_t right[64 * 64], left[64 * 64];
    uint8_t kind[LINE_SIDES][LINE_SIDES]; // [left][right]: shape * KIND_WAYS + ways - 1
    // [mine, stop][cells between][a side]: how it looks when a stone comes to an empty cell of it.
    uint8_t step[2][LINE_REACH][LINE_SIDES];
};

// Made when the program is built; the second for `exact`.
extern const struct line_kinds lines_carried[2];

// Lists all by trying them; the same for blocks that count and for those that do not.
void lines_init(struct line_kinds *lines, bool exact);

// A line is 32 bits of what is mine and what is a stop; no cell is within 6 bits of the ends.
// How the line looks from a bit: which of the ways left of it, and right of it.
static inline int lines_way(const struct line_kinds *lines, uint32_t mine, uint32_t stop, int at) {
    const uint32_t right = (mine >> (at + 1) & 63) | (stop >> (at + 1) & 63) << 6;
    const uint32_t left = (mine >> (at - 6) & 63) | (stop >> (at - 6) & 63) << 6;
    return lines->left[left] * LINE_SIDES + lines->right[right];
}

// Nothing in a side is mine.
static inline bool side_is_blank(int side) { return ((side + 1) & side) == 0; }

// Nothing in a line that looks this way is mine.
static inline bool way_is_blank(int way) {
    return side_is_blank(way / LINE_SIDES) && side_is_blank(way % LINE_SIDES);
}

// What a stone at a bit would make.
static inline int lines_kind(const struct line_kinds *lines, uint32_t mine, uint32_t stop, int at) {
    return ((const uint8_t *)lines->kind)[lines_way(lines, mine, stop, at)];
}

static inline enum shape kind_shape(int kind) { return (enum shape)(kind / KIND_WAYS); }

// The windows (by their first bits) of `least` to five stones that can still become six.
static inline uint32_t lines_windows(bool exact, uint32_t mine, uint32_t stop, int least) {
    const uint32_t m1 = mine >> 1, m2 = mine >> 2, m3 = mine >> 3, m4 = mine >> 4, m5 = mine >> 5;
    const uint32_t three = stop | stop >> 1 | stop >> 2;
    uint32_t open = ~(three | three >> 3);
    if (exact)
        open &= ~(mine >> 6 | mine << 1);
    // The six bits added, column by column.
    const uint32_t a = mine ^ m1 ^ m2, b = m3 ^ m4 ^ m5;
    const uint32_t c = (mine & m1) | (m2 & (mine | m1)), d = (m3 & m4) | (m5 & (m3 | m4));
    const uint32_t one = a ^ b, e = a & b;
    const uint32_t two = c ^ d ^ e, four = (c & d) | (e & (c | d));
    const uint32_t at_least[] = {~0u, one | two | four, two | four, (one & two) | four, four};
    return open & at_least[least] & ~(four & two);
}
