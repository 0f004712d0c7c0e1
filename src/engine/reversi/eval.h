// SPDX-License-Identifier: MIT
// The evaluation of a reversi position: weights of patterns, trained for each stage of the game.
// An eval is constant once it is made, and may be shared by threads.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "engine/reversi/pattern.h"

enum {
    EVAL_DISC = 128, // the unit is a disc divided by this
    EVAL_STAGES = 15,
    EVAL_MOST = 64 * EVAL_DISC,
};

struct eval;

// With the weights that the program carries; there is one for all, unpacked when first asked for.
const struct eval *eval_find(enum board_kind kind);
// With weights that eval_pack made, or none (all positions are worth 0).
struct eval *eval_unpack(enum board_kind kind, const void *bytes, size_t size, struct err *err);
struct eval *eval_empty(enum board_kind kind);
void eval_free(struct eval *eval);

// What the position is worth to the player to move, as if played out: the difference of discs at
// the end, in units. The game need not be going on.
int eval_score(const struct eval *eval, const struct board *board);

// The same in steps, for a search that evaluates many positions a move apart.
void eval_view(const struct eval *eval, const struct board *board, struct view *view);
void eval_step(const struct eval *eval, const struct view *from, int square, uint64_t flips,
               struct view *to);
int eval_view_score(const struct eval *eval, const struct view *view);

// For training: the stage of a position, the patterns, and weights in discs to put in: as many as
// `patterns->kept` for a stage.
int eval_stage(int empties);
const struct patterns *eval_patterns(const struct eval *eval);
void eval_set_stage(struct eval *eval, int stage, const float *kept);
void eval_pack(const struct eval *eval, struct buf *out);
