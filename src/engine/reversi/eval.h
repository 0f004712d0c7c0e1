// SPDX-License-Identifier: MIT
// The evaluation of a reversi position: weights of patterns, trained for each stage of the game.
// An eval is constant once it is made, and may be shared by threads. The program carries one for
// each board, which is made when the program is built and needs nothing when it runs.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "engine/reversi/pattern.h"

enum {
    EVAL_DISC = 128, // the unit is a disc divided by this
    EVAL_MOST = 64 * EVAL_DISC,
};

struct eval {
    struct patterns patterns;
    int16_t all[]; // for each stage, a weight for every state
};

extern const struct eval eval_open, eval_othello;

// With the weights that the program carries.
static inline const struct eval *eval_find(enum board_kind kind) {
    return kind == BOARD_OPEN ? &eval_open : &eval_othello;
}
// With weights that eval_pack made, or none (all positions are worth 0).
struct eval *eval_unpack(enum board_kind kind, const void *bytes, size_t size, struct err *err);
struct eval *eval_empty(enum board_kind kind);
void eval_free(struct eval *eval);
// The size of an eval of these patterns.
size_t eval_bytes(const struct patterns *patterns);

// What the position is worth to the player to move, as if played out: the difference of discs at
// the end, in units. The game need not be going on.
int eval_score(const struct eval *eval, const struct board *board);

// The same of a view of the eval's patterns, for a search that goes from one to the next (view.h).
int eval_view_score(const struct eval *eval, const struct pattern_view *view);

// On the open board, where a player can be wiped off, its games against itself have taught the
// evaluation that few discs are good, and not when they are too few: nobody there tried to wipe
// anybody off. So a player with this many discs is worth less by that many, once the middle fills.
static inline int eval_peril(uint64_t discs, int plies) {
    static const int worth[] = {64, 44, 30, 20, 12, 7, 3};
    enum { COUNT = sizeof worth / sizeof *worth, FROM = 12, FULL = 12 };
    const int count = bits_count(discs), late = plies - FROM;
    if (count >= COUNT || late <= 0)
        return 0;
    return worth[count] * EVAL_DISC * (late < FULL ? late : FULL) / FULL;
}

// What a board is worth whose weights have this sum.
static inline int eval_sum_score(const struct eval *eval, const struct board *b, int empties,
                                 int sum) {
    const int plies = GAME_PLIES - empties;
    if (eval->patterns.variant.kind == BOARD_OPEN)
        sum += eval_peril(b->other, plies) - eval_peril(b->own, plies);
    return sum > EVAL_MOST ? EVAL_MOST : sum < -EVAL_MOST ? -EVAL_MOST : sum;
}

static inline int eval_stage(const struct eval *eval, int empties) {
    const int stage = (GAME_PLIES - empties) / eval->patterns.stage_plies;
    return stage < 0 ? 0 : stage < eval->patterns.stages ? stage : eval->patterns.stages - 1;
}

// The weights of every state, with so many empty squares.
static inline const int16_t *eval_weights(const struct eval *eval, int empties) {
    return eval->all + (size_t)eval_stage(eval, empties) * eval->patterns.size;
}

// For training: weights in discs to put in, as many as `patterns.kept` for a stage.
void eval_set_stage(struct eval *eval, int stage, const float *kept);
void eval_pack(const struct eval *eval, struct buf *out);
