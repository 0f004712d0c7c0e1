// SPDX-License-Identifier: MIT
// The turns of an attacker that make threats, found without placing a stone.
#pragma once

#include "engine/connect6/board.h"

enum { PAIRS_MAX = 128 };

// Two stones, and how good they look.
struct stone_pair {
    int16_t a, b;
    int32_t value;
    int32_t threats; // stones to stop them: at most so many
};

struct stone_pairs {
    struct stone_pair list[PAIRS_MAX]; // the best first
    int count;
};

// Pairs of empty cells where stones seem to make threats that take at least so many stones (1 to 3)
// to stop: nearly all there are, and some that fall short. No stone makes an overline that loses.
void pairs_find(const struct board6 *board, int player, int threats, struct stone_pairs *pairs);
// How much a cell promises to one who attacks.
static inline int pairs_promise(const struct board6 *board, int player, int cell) {
    return 2 * board_order(board, player, cell) + board_order(board, 1 - player, cell);
}
