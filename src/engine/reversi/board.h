// SPDX-License-Identifier: MIT
// A reversi position as the engine sees it: the discs of the player to move and of the other.
// Squares are bits, row by row from the top left, as in the rules; a move is the number of a
// square.
#pragma once

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

// The runs of `over` that begin next to `from` and lead towards higher squares, or lower ones:
// the first step, then pairs of squares, then pairs of pairs.
static inline uint64_t board_runs_up(uint64_t from, uint64_t over, int shift) {
    uint64_t runs = from << shift & over;
    runs |= runs << shift & over;
    const uint64_t pairs = over & over << shift;
    runs |= runs << 2 * shift & pairs;
    return runs | (runs << 2 * shift & pairs);
}

static inline uint64_t board_runs_down(uint64_t from, uint64_t over, int shift) {
    uint64_t runs = from >> shift & over;
    runs |= runs >> shift & over;
    const uint64_t pairs = over & over >> shift;
    runs |= runs >> 2 * shift & pairs;
    return runs | (runs >> 2 * shift & pairs);
}

#define BOARD_INNER_COLUMNS UINT64_C(0x7e7e7e7e7e7e7e7e)

// Empty squares where the player to move would turn a disc.
static inline uint64_t board_turning(const struct board *b, uint64_t empty) {
    // A run never passes an outer column sideways: leaving those out stops it at the edge.
    const uint64_t inner = b->other & BOARD_INNER_COLUMNS;
    uint64_t behind = 0;
    for (int shift = 7; shift <= 9; shift++) {
        const uint64_t over = shift == 8 ? b->other : inner;
        behind |= board_runs_up(b->own, over, shift) << shift;
        behind |= board_runs_down(b->own, over, shift) >> shift;
    }
    behind |= board_runs_up(b->own, inner, 1) << 1 | board_runs_down(b->own, inner, 1) >> 1;
    return behind & empty;
}

// The legal squares of the player to move.
static inline uint64_t board_moves(const struct board *b, const struct variant *v) {
    const uint64_t empty = board_empty(b, v);
    return board_turning(b, empty) | (empty & v->free);
}

// The runs of `over` between a new disc and one of `own`, both ways along one direction.
static inline uint64_t board_bracketed(uint64_t disc, uint64_t own, uint64_t over, int shift) {
    const uint64_t up = board_runs_up(disc, over, shift), down = board_runs_down(disc, over, shift);
    return (up << shift & own ? up : 0) | (down >> shift & own ? down : 0);
}

// The discs that a disc on an empty square would turn; none if it is not legal, or free.
static inline uint64_t board_flips(const struct board *b, int square) {
    const uint64_t disc = bit(square), inner = b->other & BOARD_INNER_COLUMNS;
    return board_bracketed(disc, b->own, inner, 1) | board_bracketed(disc, b->own, inner, 7) |
           board_bracketed(disc, b->own, b->other, 8) | board_bracketed(disc, b->own, inner, 9);
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
