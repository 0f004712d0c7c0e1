// SPDX-License-Identifier: MIT
// A solver that only tells whether a value is above a bound is asked from a guess on until the
// bounds meet; a best move is one after which the opponent cannot do better than the value allows.
#include "train/reversi/exact.h"

#include "base/mem.h"
#include "engine/reversi/end.h"

#include <stdlib.h>

enum { TT_BYTES = 1 << 20 };

struct exact {
    struct stop stop;
    struct reversi_search search;
};

struct exact *exact_new(const struct variant *variant) {
    static const struct limits none = {.nodes = 0};
    struct exact *e = mem_new(1, sizeof *e);
    stop_init(&e->stop, &none);
    // not by search_init: there may be no weights yet that fit the patterns
    e->search = (struct reversi_search){.variant = variant,
                                        .tt = tt_new(TT_BYTES),
                                        .stop = &e->stop,
                                        .certainty = CERTAIN,
                                        .squares = bits_count(variant->squares)};
    return e;
}

void exact_free(struct exact *e) {
    if (!e)
        return;
    tt_free(e->search.tt);
    free(e);
}

void exact_clear(struct exact *e) { tt_clear(e->search.tt, 0); }

// Walks windows of width one from the guess until the bounds meet.
static int value_of(struct exact *e, const struct board *b, int guess) {
    int lower = -VALUE_MAX, upper = VALUE_MAX, value = guess;
    while (lower < upper) {
        const int alpha = value == lower ? value : value - 1;
        value = end_solve(&e->search, b, alpha);
        if (value > alpha)
            lower = value;
        else
            upper = value;
    }
    return lower;
}

static int square_of(struct exact *e, const struct board *b, int value) {
    uint64_t moves = board_moves(b, e->search.variant);
    for (; moves & (moves - 1); moves &= moves - 1) {
        const int square = bits_first(moves);
        const struct board next = board_play(b, square, board_flips(b, square));
        if (end_solve(&e->search, &next, -value) <= -value)
            return square;
    }
    return bits_first(moves);
}

int exact_score(struct exact *e, const struct board *b, int guess, int *square) {
    const int value = value_of(e, b, guess);
    if (square)
        *square = square_of(e, b, value);
    return value;
}
