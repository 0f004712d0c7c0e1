// SPDX-License-Identifier: MIT
// A reversi position as the engine sees it: the discs of the player to move and of the other.
// Squares are bits, row by row from the top left, as in the rules; a move is the number of a
// square.
#pragma once

#include "engine/reversi/lines.h"
#include "games/bits.h"
#include "games/game.h"

struct board {
    uint64_t own, other; // of the player to move, and of his opponent
};

// The number of the rule `board`.
enum board_kind { BOARD_OPEN, BOARD_OTHELLO, BOARD_KINDS };

// What the two boards differ in.
struct variant {
    enum board_kind kind;
    uint64_t squares; // all there are
    uint64_t free;    // where a disc may go even if it turns nothing
    struct board start;
};

extern const struct variant variants[BOARD_KINDS];

const struct variant *board_variant(const struct ruleset *rules);
// The board of a state of the rules. The player to move is `turn`, or black when the game is over.
struct board board_of_state(const struct ruleset *rules, const void *state);

static inline uint64_t board_empty(const struct board *b, const struct variant *v) {
    return v->squares & ~(b->own | b->other);
}

static inline int board_empties(const struct board *b, const struct variant *v) {
    return bits_count(board_empty(b, v));
}

// Discs ahead.
static inline int board_margin(const struct board *b) {
    return bits_count(b->own) - bits_count(b->other);
}

static inline struct board board_pass(const struct board *b) {
    return (struct board){.own = b->other, .other = b->own};
}

// Empty squares where the player to move would turn a disc.
static inline uint64_t board_turning(const struct board *b, uint64_t empty) {
    return lines_turning(b->own, b->other, empty);
}

// The discs that a disc on an empty square would turn; none if it is not legal, or free.
static inline uint64_t board_flips(const struct board *b, int square) {
    return lines_flips(b->own, b->other, square);
}

// The legal squares of the player to move.
static inline uint64_t board_moves(const struct board *b, const struct variant *v) {
    const uint64_t empty = board_empty(b, v);
    return board_turning(b, empty) | (empty & v->free);
}

// The board after a move that turns `flips`, seen by the opponent.
static inline struct board board_play(const struct board *b, int square, uint64_t flips) {
    return (struct board){.own = b->other ^ flips, .other = b->own ^ flips ^ bit(square)};
}

// A 64-bit key: the folded product of both words, stirred.
static inline uint64_t board_hash(const struct board *b) {
    const unsigned __int128 product = (unsigned __int128)(b->own ^ UINT64_C(0x9e3779b97f4a7c15)) *
                                      (b->other ^ UINT64_C(0xc2b2ae3d27d4eb4f));
    const uint64_t folded = (uint64_t)product ^ (uint64_t)(product >> 64);
    return (folded ^ folded >> 29) * UINT64_C(0xbf58476d1ce4e5b9) ^ b->own;
}
