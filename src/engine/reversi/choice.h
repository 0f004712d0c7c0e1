// SPDX-License-Identifier: MIT
// The moves of a position in the order to try them.
#pragma once

#include "engine/reversi/board.h"

enum { CHOICES_MAX = 64, NO_SQUARE = 64 };

struct choice {
    struct board next; // after the move
    uint64_t replies;  // the opponent's legal squares there
    uint64_t key;      // of the board
    int square;
};

// Lists moves, of which there is at least one, with what they lead to; returns their count.
static inline int choice_list(const struct board *b, const struct variant *v, uint64_t moves,
                              bool keyed, struct choice *list) {
    int count = 0;
    do {
        struct choice *c = &list[count++];
        c->square = bits_first(moves);
        c->next = board_play(b, c->square, board_flips(b, c->square));
        c->replies = board_moves(&c->next, v);
        if (keyed)
            c->key = board_hash(&c->next);
        moves &= moves - 1;
    } while (moves);
    return count;
}

// Takes the next of the choices that are left: their ranks, the least first, with the number of the
// choice in the low bits. The first choice left takes the place of the one that is gone.
static inline int choice_next(int *rank, int count) {
    int first = 0;
    for (int i = 1; i < count; i++)
        first = rank[i] < rank[first] ? i : first;
    const int taken = rank[first];
    rank[first] = rank[0];
    return taken & (CHOICES_MAX - 1);
}
