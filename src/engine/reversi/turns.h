// SPDX-License-Identifier: MIT
// The symmetries of the board.
#pragma once

#include <stdint.h>

static inline uint64_t turn_rows(uint64_t b) { return __builtin_bswap64(b); }

static inline uint64_t turn_columns(uint64_t b) {
    b = (b >> 1 & UINT64_C(0x5555555555555555)) | (b & UINT64_C(0x5555555555555555)) << 1;
    b = (b >> 2 & UINT64_C(0x3333333333333333)) | (b & UINT64_C(0x3333333333333333)) << 2;
    return (b >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (b & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
}

// Rows become columns: blocks of 1, 2 and 4 squares change places across the diagonal.
static inline uint64_t turn_diagonal(uint64_t b) {
    uint64_t t = (b ^ b >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    b ^= t ^ t << 7;
    t = (b ^ b >> 14) & UINT64_C(0x0000cccc0000cccc);
    b ^= t ^ t << 14;
    t = (b ^ b >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return b ^ t ^ t << 28;
}

// A symmetry by number: 4 turns the diagonal, then 2 the columns and 1 the rows.
static inline uint64_t turn(uint64_t b, int symmetry) {
    b = symmetry & 4 ? turn_diagonal(b) : b;
    b = symmetry & 2 ? turn_columns(b) : b;
    return symmetry & 1 ? turn_rows(b) : b;
}
