// SPDX-License-Identifier: MIT
// What turns along the lines of a board: the same three functions for every CPU, chosen when this
// is compiled.
#pragma once

#if defined __AVX2__ && defined __BMI2__
#include "engine/reversi/lines_vector.h"
#else
#include "engine/reversi/lines_plain.h"
#endif

// Empty squares where a disc of `own` would turn at least one of `other`.
static inline uint64_t lines_turning(uint64_t own, uint64_t other, uint64_t empty);
// The discs of `other` that a disc of `own` on an empty square would turn.
static inline uint64_t lines_flips(uint64_t own, uint64_t other, int square);
// How many would turn where every other square is taken: all that is not `own` is the opponent's,
// or a corner that is no square, which brackets nothing.
static inline int lines_count_last(uint64_t own, int square);
