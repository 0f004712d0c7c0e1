// SPDX-License-Identifier: MIT
// Tables of lines and edges, printed by tools/reversi-tables when the program is built.
#pragma once

#include <stdint.h>

// The squares from one on, in the four directions towards higher squares and the opposite ones.
struct rays {
    uint64_t up[4], down[4];
};

// The four whole lines through a square, and where in table_turned its place on each begins.
struct cross {
    uint64_t line[4];
    uint16_t begin[4];
};

extern const struct rays table_rays[64] __attribute__((aligned(64)));
extern const uint64_t table_near[64]; // the squares next to one
extern const struct cross table_cross[64];
// Discs turned by one on a place of a line where all that is not `own` is the opponent's: 256 for
// each place.
extern const uint8_t table_turned[8 * 256];
extern const uint16_t table_ternary[256]; // a set of places as a number in the base of three
// Own discs of an edge that can never turn, whatever is placed on it; by the number in the base of
// three where 1 is an own disc and 2 one of the opponent. Edges of 8 squares, and of 6 without
// corners.
extern const uint8_t table_edge8[6561], table_edge6[729];
