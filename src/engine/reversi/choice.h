// SPDX-License-Identifier: MIT
// The moves of a position in the order to try them.
#pragma once

#include "engine/reversi/board.h"

enum { CHOICES_MAX = 64, NO_SQUARE = 64 };

struct choice {
    struct board next; // after the move
    int square;
    int order; // the least comes first
};

// Lists moves with the boards they lead to, and without an order; returns their count.
static inline int choice_list(const struct board *b, uint64_t moves, struct choice *list) {
    int count = 0;
    for (; moves; moves &= moves - 1) {
        const int square = bits_first(moves);
        list[count++] = (struct choice){.next = board_play(b, square, board_flips(b, square)),
                                        .square = square};
    }
    return count;
}

// Brings the choice that comes next to the front of the list.
static inline void choice_next(struct choice *list, int count) {
    int first = 0;
    for (int i = 1; i < count; i++)
        if (list[i].order < list[first].order)
            first = i;
    const struct choice c = list[0];
    list[0] = list[first];
    list[first] = c;
}
