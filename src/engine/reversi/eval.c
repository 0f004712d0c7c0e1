// SPDX-License-Identifier: MIT
// Stable discs and replies, until there are trained weights.
#include "engine/reversi/eval.h"

#include "engine/reversi/stable.h"

struct eval {
    const struct variant *variant;
};

static const struct eval evals[BOARD_KINDS] = {
    [BOARD_OPEN] = {&variants[BOARD_OPEN]},
    [BOARD_OTHELLO] = {&variants[BOARD_OTHELLO]},
};

const struct eval *eval_find(enum board_kind kind) { return &evals[kind]; }

static int side(const struct variant *v, uint64_t own, uint64_t other) {
    const uint64_t empty = v->squares & ~(own | other);
    const uint64_t replies = lines_turning(own, other, empty);
    const uint64_t corners = UINT64_C(0x8100000000000081), near = UINT64_C(0x0042000000004200);
    return 110 * bits_count(replies) + 600 * bits_count(replies & corners) +
           600 * bits_count(stable_discs(own, other, v)) -
           (v->kind == BOARD_OTHELLO ? 500 * bits_count(own & near) : 0);
}

int eval_score(const struct eval *eval, const struct board *b) {
    const int score = side(eval->variant, b->own, b->other) - side(eval->variant, b->other, b->own);
    const int most = 64 * EVAL_DISC;
    return score > most ? most : score < -most ? -most : score;
}
