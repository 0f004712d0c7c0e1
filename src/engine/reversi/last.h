// SPDX-License-Identifier: MIT
// The last four empty squares, each number of them with a function of its own.
//
// All search a window of width one: a value above `alpha` is at least what it should be, another at
// most. Squares come in the order to try: those in quadrants with an odd number of empty squares
// first, because who moves last in a region gains by it.
#pragma once

#include "engine/reversi/search.h"
#include "engine/reversi/tables.h"

// The quadrant of a square.
static inline int last_quadrant(int square) { return (square >> 4 & 2) | (square >> 2 & 1); }

static inline bool last_is_free(const struct reversi_search *s, int square) {
    return s->variant->free >> square & 1;
}

// The discs that turn, quickly zero if no neighbour can.
static inline uint64_t last_flips(uint64_t own, uint64_t other, int square) {
    return table_near[square] & other ? lines_flips(own, other, square) : 0;
}

static inline int last_one(const struct reversi_search *s, uint64_t own, int square) {
    const int discs = 2 * bits_count(own) - s->squares;
    const int turned = lines_count_last(own, square);
    if (turned || last_is_free(s, square))
        return discs + 2 * turned + 2;
    const uint64_t other = s->variant->squares & ~own & ~bit(square);
    const int lost = lines_count_last(other, square);
    return lost ? discs - 2 * lost : discs + 1 + (discs >= 0 ? s->spoils : -s->spoils);
}

// The value of a move to `x` that leaves `y` empty; VALUE_NONE if it is illegal.
static inline int last_try_two(const struct reversi_search *s, uint64_t own, uint64_t other, int x,
                               int y) {
    const uint64_t flips = last_flips(own, other, x);
    if (!flips && !last_is_free(s, x))
        return VALUE_NONE;
    return -last_one(s, other ^ flips, y);
}

static inline int last_two(struct reversi_search *s, uint64_t own, uint64_t other, int alpha, int x,
                           int y) {
    s->nodes++;
    const int first = last_try_two(s, own, other, x, y);
    if (first != VALUE_NONE && first > alpha)
        return first;
    const int second = last_try_two(s, own, other, y, x);
    if (second != VALUE_NONE)
        return first != VALUE_NONE && first > second ? first : second;
    if (first != VALUE_NONE)
        return first;
    const int third = last_try_two(s, other, own, x, y);
    if (third != VALUE_NONE && -third <= alpha)
        return -third;
    const int fourth = last_try_two(s, other, own, y, x);
    if (fourth != VALUE_NONE)
        return third != VALUE_NONE && third > fourth ? -third : -fourth;
    return third != VALUE_NONE ? -third : search_final(s, own, other);
}

// Three empty squares, in the order to try them.
struct last_squares {
    int x, y, z;
};

// Tries the first of three squares: true if that settles it.
static inline bool last_try_three(struct reversi_search *s, struct board b, int alpha,
                                  struct last_squares q, int *best) {
    const uint64_t flips = last_flips(b.own, b.other, q.x);
    if (!flips && !last_is_free(s, q.x))
        return false;
    const int value = -last_two(s, b.other ^ flips, b.own ^ flips ^ bit(q.x), -alpha - 1, q.y, q.z);
    *best = value > *best ? value : *best;
    return value > alpha;
}

// The best move on three squares; -VALUE_NONE if there is none.
static inline int last_moves_three(struct reversi_search *s, struct board b, int alpha,
                                   struct last_squares q) {
    int best = -VALUE_NONE;
    s->nodes++;
    if (!last_try_three(s, b, alpha, q, &best) &&
        !last_try_three(s, b, alpha, (struct last_squares){q.y, q.x, q.z}, &best))
        last_try_three(s, b, alpha, (struct last_squares){q.z, q.x, q.y}, &best);
    return best;
}

static inline int last_three(struct reversi_search *s, struct board b, int alpha,
                             struct last_squares q) {
    // Alone in its quadrant: first.
    if (last_quadrant(q.x) == last_quadrant(q.y))
        q = (struct last_squares){q.z, q.y, q.x};
    else if (last_quadrant(q.x) == last_quadrant(q.z))
        q = (struct last_squares){q.y, q.x, q.z};
    int best = last_moves_three(s, b, alpha, q);
    if (best > -VALUE_NONE)
        return best;
    best = last_moves_three(s, board_pass(&b), -alpha - 1, q);
    return best > -VALUE_NONE ? -best : search_final(s, b.own, b.other);
}

static inline int last_moves_four(struct reversi_search *s, uint64_t own, uint64_t other,
                                  uint64_t moves, int alpha, const int x[static 4]) {
    int best = -VALUE_NONE;
    s->nodes++;
    for (int i = 0; i < 4; i++) {
        if (!(moves >> x[i] & 1))
            continue;
        const uint64_t flips = lines_flips(own, other, x[i]);
        const struct board next = {other ^ flips, own ^ flips ^ bit(x[i])};
        const struct last_squares q = {x[i == 0], x[i <= 1 ? 2 : 1], x[i <= 2 ? 3 : 2]};
        const int value = -last_three(s, next, -alpha - 1, q);
        if (value > alpha)
            return value;
        best = value > best ? value : best;
    }
    return best;
}

// `moves` are the legal ones, `odd` the quadrants with an odd number of empty squares, as a set.
static inline int last_four(struct reversi_search *s, const struct board *b, uint64_t moves,
                            int alpha, uint64_t odd) {
    const uint64_t empty = board_empty(b, s->variant);
    int x[4], n = 0;
    for (uint64_t rest = empty & odd; rest; rest &= rest - 1)
        x[n++] = bits_first(rest);
    for (uint64_t rest = empty & ~odd; rest; rest &= rest - 1)
        x[n++] = bits_first(rest);
    if (moves)
        return last_moves_four(s, b->own, b->other, moves, alpha, x);
    const struct board passed = board_pass(b);
    moves = board_moves(&passed, s->variant);
    return moves ? -last_moves_four(s, b->other, b->own, moves, -alpha - 1, x)
                 : search_final(s, b->own, b->other);
}
