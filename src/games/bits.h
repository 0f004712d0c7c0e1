// SPDX-License-Identifier: MIT
// Sets of squares as bits of a word.
#pragma once

#include <stdint.h>

static inline int bits_count(uint64_t set) { return __builtin_popcountll(set); }

// The lowest member of a set that is not empty.
static inline int bits_first(uint64_t set) { return __builtin_ctzll(set); }

static inline uint64_t bit(int square) { return UINT64_C(1) << square; }

static inline uint64_t bits_rotate(uint64_t set, int n) {
    return set << (n & 63) | set >> (-n & 63);
}

// The n-th member from 0 of a set that has more than n: halves the word that must hold it.
static inline int bits_nth(uint64_t set, int n) {
    int at = 0;
    for (int width = 32; width > 0; width /= 2) {
        const int low = bits_count(set >> at & (bit(width) - 1));
        const int skip = -(n >= low); // all ones or zero: no branch to mispredict
        n -= low & skip;
        at += width & skip;
    }
    return at;
}
