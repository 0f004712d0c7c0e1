// SPDX-License-Identifier: MIT
// What the evaluation of reversi looks at: sets of squares, each in all its places on the board.
//
// A pattern is a set of squares; its state is a number in base 3, a digit for each square in
// ascending order: 0 empty, 1 own, 2 the other's. Its places are its images under the symmetries of
// the board; the same state has the same weight in all of them. A pattern that is its own image has
// states that are images of each other: the kept weights hold one for all of them.
//
// After the patterns come tables of counts, such as moves, with an entry for every combination.
#pragma once

#include "engine/reversi/board.h"

#include <stdbool.h>

enum {
    PATTERN_SQUARES = 10, // at most, so that a state has 16 bits
    PLACES_MAX = 48,
    GAME_PLIES = 60,
    COUNTS = 4,   // tables of counts
    NIBBLES = 16, // four squares in a row each
    FOUND_MAX = PLACES_MAX + COUNTS,
};

struct patterns {
    // What four squares in a row add to the states of all places, by which of them are own.
    uint16_t digits[NIBBLES][16][PLACES_MAX] __attribute__((aligned(32)));
    struct variant variant;
    uint32_t begins[PLACES_MAX]; // of each place's weights
    int places;
    int fours;               // the first so many of them come in fours that share their weights
    int stages, stage_plies; // the game has so many stages of so many plies, weights for each
    uint32_t counts_begin;   // of the weights of the tables of counts
    uint32_t size;           // weights in all, every state with its own
    uint32_t kept;           // weights of which none must equal another
    uint32_t *kept_of;       // for each of all, which of those it is; NULL: nobody trains them
};

// A board with the states of all places; those of each player apart, as if all his discs were own.
struct pattern_view {
    struct board board;
    uint16_t own[PLACES_MAX] __attribute__((aligned(32)));
    uint16_t other[PLACES_MAX] __attribute__((aligned(32)));
};

// Freed with free(), after its kept_of.
struct patterns *patterns_new(enum board_kind kind);
// With other sets of squares, written "a1 b1 c1", ended by NULL.
struct patterns *patterns_new_of(enum board_kind kind, const char *const *sets);
// The weights that count for a board; returns how many.
int patterns_find(const struct patterns *patterns, const struct pattern_view *view,
                  uint32_t weights[static FOUND_MAX]);
