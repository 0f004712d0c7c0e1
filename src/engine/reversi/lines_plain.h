// SPDX-License-Identifier: MIT
// lines.h in plain C: sets of squares shifted as whole words.
#pragma once

#include <stdint.h>

// Runs over these never pass an outer column, where a sideways shift would wrap around the edge.
#define LINES_INNER UINT64_C(0x7e7e7e7e7e7e7e7e)

// The runs of `over` that begin next to `from` and lead towards higher squares, or lower ones:
// the first two steps, then pairs.
static inline uint64_t lines_runs_up(uint64_t from, uint64_t over, int shift) {
    uint64_t runs = from << shift & over;
    runs |= runs << shift & over;
    const uint64_t pairs = over & over << shift;
    runs |= runs << 2 * shift & pairs;
    return runs | (runs << 2 * shift & pairs);
}

static inline uint64_t lines_runs_down(uint64_t from, uint64_t over, int shift) {
    uint64_t runs = from >> shift & over;
    runs |= runs >> shift & over;
    const uint64_t pairs = over & over >> shift;
    runs |= runs >> 2 * shift & pairs;
    return runs | (runs >> 2 * shift & pairs);
}

// Squares just behind runs that begin next to `own`, both ways along one direction.
static inline uint64_t lines_behind(uint64_t own, uint64_t over, int shift) {
    return lines_runs_up(own, over, shift) << shift | lines_runs_down(own, over, shift) >> shift;
}

static inline uint64_t lines_turning(uint64_t own, uint64_t other, uint64_t empty) {
    const uint64_t inner = other & LINES_INNER;
    return empty & (lines_behind(own, inner, 1) | lines_behind(own, inner, 7) |
                    lines_behind(own, other, 8) | lines_behind(own, inner, 9));
}

// The runs of `over` between a new disc and one of `own`, both ways along one direction.
static inline uint64_t lines_bracketed(uint64_t disc, uint64_t own, uint64_t over, int shift) {
    const uint64_t up = lines_runs_up(disc, over, shift), down = lines_runs_down(disc, over, shift);
    return (up << shift & own ? up : 0) | (down >> shift & own ? down : 0);
}

static inline uint64_t lines_flips(uint64_t own, uint64_t other, int square) {
    const uint64_t disc = UINT64_C(1) << square, inner = other & LINES_INNER;
    return lines_bracketed(disc, own, inner, 1) | lines_bracketed(disc, own, inner, 7) |
           lines_bracketed(disc, own, other, 8) | lines_bracketed(disc, own, inner, 9);
}

static inline int lines_count_last(uint64_t own, int square) {
    return __builtin_popcountll(lines_flips(own, ~own, square));
}
