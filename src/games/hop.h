// SPDX-License-Identifier: MIT
// Hops on the hopchess board: where pieces can hop, and what one piece can do by hopping on and on.
// Squares are bits, row by row. `own` are the mover's pieces, `other` those it captures.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    HOP_SIDE = 8,
    HOP_SQUARES = HOP_SIDE * HOP_SIDE,
    HOP_PIECES = 9,             // of a player, at most
    HOP_SETS = 1 << HOP_PIECES, // sets of captured pieces
    HOP_COUNT_MAX = 99,         // hops of a move, at most
};

// A set of captured pieces has a bit for each piece of `other`, by its rank in row-major order.
typedef uint16_t hop_set;

// The four directions, in ascending order of the square they lead to.
enum { HOP_UP, HOP_LEFT, HOP_RIGHT, HOP_DOWN, HOP_DIRECTIONS };

// How far a direction leads, as a difference of squares.
static inline int hop_step(int direction) {
    static const int steps[HOP_DIRECTIONS] = {-HOP_SIDE, -1, 1, HOP_SIDE};
    return steps[direction];
}

static inline uint64_t hop_shift(uint64_t set, int direction) {
    const uint64_t first_column = UINT64_C(0x0101010101010101), last_column = first_column << 7;
    switch (direction) {
    case HOP_UP:
        return set >> HOP_SIDE;
    case HOP_LEFT:
        return set >> 1 & ~last_column;
    case HOP_RIGHT:
        return set << 1 & ~first_column;
    default:
        return set << HOP_SIDE;
    }
}

// Where one hop over a piece of `over` leads from a square of `from`.
static inline uint64_t hop_over(uint64_t from, uint64_t over, uint64_t empty, int direction) {
    return hop_shift(hop_shift(from, direction) & over, direction) & empty;
}

static inline uint64_t hop_anywhere(uint64_t from, uint64_t over, uint64_t empty) {
    return hop_over(from, over, empty, HOP_UP) | hop_over(from, over, empty, HOP_LEFT) |
           hop_over(from, over, empty, HOP_RIGHT) | hop_over(from, over, empty, HOP_DOWN);
}

uint64_t hop_pieces_of_set(uint64_t other, hop_set set);
int hop_rank(uint64_t other, int square);

// Squares next to a square of `squares`.
uint64_t hop_neighbours(uint64_t squares);
// Pieces of `own` that can hop at all.
uint64_t hop_movers(uint64_t own, uint64_t other);
// Whether a piece can hop and come back with nothing captured.
bool hop_can_return(uint64_t own, uint64_t other, int from, int max_hops);

// What one piece can do by hopping: squares reached, by the set captured on the way.
struct hop_reach {
    int count; // of sets; the first is the empty one, and its squares include the start
    hop_set set[HOP_SETS];
    uint64_t squares[HOP_SETS];
    // The rest is scratch of the search.
    uint64_t fresh[HOP_SETS]; // reached by the last hop
    uint64_t next[HOP_SETS];  // reached by the hop being made
    uint16_t place[HOP_SETS]; // of a set in the arrays above, if it is known
    uint64_t known[HOP_SETS / 64];
};

void hop_reach_find(struct hop_reach *r, uint64_t own, uint64_t other, int from, int max_hops);
// Puts the sets in ascending order.
void hop_reach_sort(struct hop_reach *r);

// Where a path leads (perhaps back to its start), and just what it captures.
struct hop_goal {
    int to;
    hop_set set;
};

// The shortest path from a square to its goal, and the smallest of those, with both ends; returns
// its hops, or 0 if there is none.
int hop_path(uint64_t own, uint64_t other, int from, struct hop_goal goal, int max_hops,
             uint8_t path[static HOP_COUNT_MAX + 1]);
