// SPDX-License-Identifier: MIT
// Sets of squares as bits of a word, and of several: a plane.
#pragma once

#include <stdbool.h>
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

static inline bool plane_has(const uint64_t *plane, int at) {
    return plane[at / 64] >> (at % 64) & 1;
}

static inline void plane_add(uint64_t *plane, int at) { plane[at / 64] |= bit(at % 64); }

static inline void plane_drop(uint64_t *plane, int at) { plane[at / 64] &= ~bit(at % 64); }

static inline int plane_count(const uint64_t *plane, int words) {
    int n = 0;
    for (int i = 0; i < words; i++)
        n += bits_count(plane[i]);
    return n;
}

// The n-th member from 0 of a plane that has more than n.
static inline int plane_nth(const uint64_t *plane, int n) {
    int word = 0;
    for (int here; n >= (here = bits_count(plane[word])); word++)
        n -= here;
    return word * 64 + bits_nth(plane[word], n);
}
