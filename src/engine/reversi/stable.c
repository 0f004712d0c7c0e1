// SPDX-License-Identifier: MIT
// A disc turns along a line only when a new disc on that line brackets it. So it is safe along a
// line that is full; and along one where its neighbour on either side is no square, or a stable
// disc of its own colour, which would have to turn with it. A disc that is safe along all four
// lines is stable. Edge discs can turn along their edge alone, and edges are looked up in tables
// made by trying everything. A cut corner is no square: the edges of the open board are six squares
// long and anchor at both ends. What follows inside is found by going on until nothing is added.
#include "engine/reversi/isa.h"

#include "engine/reversi/stable.h"

#include "engine/reversi/tables.h"

#define ROW UINT64_C(0xff)
#define COLUMN UINT64_C(0x0101010101010101)
#define INSIDE UINT64_C(0x007e7e7e7e7e7e00)

// The bits of the left column as a byte.
static unsigned column_bits(uint64_t set) {
    return (unsigned)((set & COLUMN) * UINT64_C(0x0102040810204080) >> 56);
}

// And back; the last bit apart, lest the sums overlap.
static uint64_t column_of(unsigned bits) {
    return ((bits & 0x7f) * UINT64_C(0x0002040810204081) & COLUMN) | (uint64_t)(bits & 0x80) << 49;
}

static unsigned edge_stable(unsigned own, unsigned other, const struct variant *v) {
    if (v->kind == BOARD_OTHELLO)
        return table_edge8[table_ternary[own] + 2 * table_ternary[other]];
    return 2u * table_edge6[table_ternary[own >> 1 & 63] + 2 * table_ternary[other >> 1 & 63]];
}

static uint64_t stable_edges(uint64_t own, uint64_t other, const struct variant *v) {
    const uint64_t top = edge_stable(own & ROW, other & ROW, v);
    const uint64_t bottom = edge_stable((unsigned)(own >> 56), (unsigned)(other >> 56), v);
    const unsigned left = edge_stable(column_bits(own), column_bits(other), v);
    const unsigned right = edge_stable(column_bits(own >> 7), column_bits(other >> 7), v);
    return top | bottom << 56 | column_of(left) | column_of(right) << 7;
}

static uint64_t full_rows(uint64_t filled) {
    filled &= filled >> 4;
    filled &= filled >> 2;
    filled &= filled >> 1;
    return (filled & COLUMN) * ROW;
}

static uint64_t full_columns(uint64_t filled) {
    filled &= bits_rotate(filled, 32);
    filled &= bits_rotate(filled, 16);
    return filled & bits_rotate(filled, 8);
}

// Diagonals: from each square one, two, then four steps on are filled, or beyond the edge.
static uint64_t full_diagonals_9(uint64_t filled) {
    uint64_t up = filled & (filled >> 9 | UINT64_C(0xff80808080808080));
    up &= up >> 18 | UINT64_C(0xffffc0c0c0c0c0c0);
    up &= up >> 36 | UINT64_C(0xfffffffff0f0f0f0);
    uint64_t down = filled & (filled << 9 | UINT64_C(0x01010101010101ff));
    down &= down << 18 | UINT64_C(0x030303030303ffff);
    return up & down & (down << 36 | UINT64_C(0x0f0f0f0fffffffff));
}

static uint64_t full_diagonals_7(uint64_t filled) {
    uint64_t up = filled & (filled >> 7 | UINT64_C(0xff01010101010101));
    up &= up >> 14 | UINT64_C(0xffff030303030303);
    up &= up >> 28 | UINT64_C(0xffffffff0f0f0f0f);
    uint64_t down = filled & (filled << 7 | UINT64_C(0x80808080808080ff));
    down &= down << 14 | UINT64_C(0xc0c0c0c0c0c0ffff);
    return up & down & (down << 28 | UINT64_C(0xf0f0f0f0ffffffff));
}

uint64_t stable_discs(uint64_t own, uint64_t other, const struct variant *v) {
    const uint64_t filled = own | other | ~v->squares;
    const uint64_t rows = full_rows(filled), columns = full_columns(filled);
    const uint64_t falling = full_diagonals_9(filled), rising = full_diagonals_7(filled);
    const uint64_t inside = own & INSIDE;
    uint64_t stable = stable_edges(own, other, v) | (own & rows & columns & falling & rising);
    for (uint64_t before = 0; stable != before;) {
        before = stable;
        const uint64_t firm = stable | ~v->squares; // a cut corner holds its neighbours
        stable |= inside & (rows | firm << 1 | firm >> 1) & (columns | firm << 8 | firm >> 8) &
                  (falling | firm << 9 | firm >> 9) & (rising | firm << 7 | firm >> 7);
    }
    return stable;
}
