// SPDX-License-Identifier: MIT
// lines.h for CPUs with AVX2 and BMI2: four directions at a time, one in each lane.
#pragma once

#include "engine/reversi/tables.h"

#include <immintrin.h>

static inline uint64_t lines_join(__m256i lanes) {
    const __m128i two =
        _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two)));
}

static inline uint64_t lines_turning(uint64_t own, uint64_t other, uint64_t empty) {
    const __m256i shift = _mm256_set_epi64x(1, 7, 8, 9), twice = _mm256_add_epi64(shift, shift);
    // Leaving the outer columns out of sideways runs stops them at the edge.
    const __m256i inner =
        _mm256_set_epi64x(0x7e7e7e7e7e7e7e7e, 0x7e7e7e7e7e7e7e7e, -1, 0x7e7e7e7e7e7e7e7e);
    const __m256i from = _mm256_set1_epi64x((int64_t)own);
    const __m256i over = _mm256_and_si256(_mm256_set1_epi64x((int64_t)other), inner);
    __m256i up = _mm256_and_si256(_mm256_sllv_epi64(from, shift), over);
    __m256i down = _mm256_and_si256(_mm256_srlv_epi64(from, shift), over);
    up = _mm256_or_si256(up, _mm256_and_si256(_mm256_sllv_epi64(up, shift), over));
    down = _mm256_or_si256(down, _mm256_and_si256(_mm256_srlv_epi64(down, shift), over));
    const __m256i up_pairs = _mm256_and_si256(over, _mm256_sllv_epi64(over, shift));
    const __m256i down_pairs = _mm256_srlv_epi64(up_pairs, shift);
    up = _mm256_or_si256(up, _mm256_and_si256(_mm256_sllv_epi64(up, twice), up_pairs));
    down = _mm256_or_si256(down, _mm256_and_si256(_mm256_srlv_epi64(down, twice), down_pairs));
    up = _mm256_or_si256(up, _mm256_and_si256(_mm256_sllv_epi64(up, twice), up_pairs));
    down = _mm256_or_si256(down, _mm256_and_si256(_mm256_srlv_epi64(down, twice), down_pairs));
    return empty & lines_join(_mm256_or_si256(_mm256_sllv_epi64(up, shift),
                                              _mm256_srlv_epi64(down, shift)));
}

// On each ray the nearest square that is not the opponent's is the end; if it is own, all before it
// turn.
#if defined __AVX512CD__ && defined __AVX512VL__
static inline __m256i lines_turn_up(__m256i own, __m256i other, __m256i ray) {
    const __m256i ends = _mm256_andnot_si256(other, ray);
    const __m256i less =
        _mm256_add_epi64(ends, _mm256_set1_epi64x(-1)); // all below the end, and not it
    const __mmask8 held = _mm256_test_epi64_mask(_mm256_andnot_si256(less, ends), own);
    return _mm256_maskz_and_epi64(held, _mm256_andnot_si256(ends, less), ray);
}

static inline __m256i lines_turn_down(__m256i own, __m256i other, __m256i ray) {
    const __m256i zeros = _mm256_lzcnt_epi64(_mm256_andnot_si256(other, ray));
    const __m256i end = _mm256_srlv_epi64(_mm256_set1_epi64x(INT64_MIN), zeros);
    const __m256i held = _mm256_and_si256(end, own);
    return _mm256_and_si256(ray,
                            _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(held, held)));
}
#else
static inline __m256i lines_turn_up(__m256i own, __m256i other, __m256i ray) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i ends = _mm256_andnot_si256(other, ray);
    const __m256i held =
        _mm256_and_si256(_mm256_and_si256(ends, _mm256_sub_epi64(zero, ends)), own);
    // One less than the end is all below it; one less than nothing is made nothing.
    const __m256i below = _mm256_add_epi64(held, _mm256_set1_epi64x(-1));
    return _mm256_andnot_si256(_mm256_cmpeq_epi64(held, zero), _mm256_and_si256(below, ray));
}

// Smears the ends downwards, so that what is left of the ray lies above the nearest.
static inline __m256i lines_turn_down(__m256i own, __m256i other, __m256i ray) {
    const __m256i one = _mm256_set_epi64x(9, 8, 7, 1), two = _mm256_add_epi64(one, one);
    __m256i ends = _mm256_andnot_si256(other, ray);
    ends = _mm256_or_si256(ends, _mm256_srlv_epi64(ends, one));
    ends = _mm256_or_si256(ends, _mm256_srlv_epi64(ends, two));
    ends = _mm256_or_si256(ends, _mm256_srlv_epi64(ends, _mm256_add_epi64(two, two)));
    const __m256i end = _mm256_andnot_si256(_mm256_srlv_epi64(ends, one), ends);
    const __m256i held = _mm256_and_si256(end, own);
    return _mm256_and_si256(ray,
                            _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(held, held)));
}
#endif

static inline uint64_t lines_flips(uint64_t own, uint64_t other, int square) {
    const __m256i p = _mm256_set1_epi64x((int64_t)own), o = _mm256_set1_epi64x((int64_t)other);
    const __m256i up = _mm256_load_si256((const __m256i *)table_rays[square].up);
    const __m256i down = _mm256_load_si256((const __m256i *)table_rays[square].down);
    return lines_join(_mm256_or_si256(lines_turn_up(p, o, up), lines_turn_down(p, o, down)));
}

static inline int lines_count_last(uint64_t own, int square) {
    const struct cross *c = &table_cross[square];
    int count = 0;
    for (int i = 0; i < 4; i++)
        count += table_turned[c->begin[i] + _pext_u64(own, c->line[i])];
    return count;
}
