// SPDX-License-Identifier: MIT
// A short search of fixed depth, for training: no table, nothing remembered, and as fast as a few
// plies can be.
#pragma once

#include "engine/reversi/eval.h"

// The score of a position with a legal move, in units of the evaluation; and a best move if asked.
int scout(const struct eval *eval, const struct variant *variant, const struct board *board,
          int depth, int *square);
// The same of every move by the evaluation alone: fills in squares and scores, best first; returns
// how many.
int scout_moves(const struct eval *eval, const struct variant *variant, const struct board *board,
                int squares[static 64], int scores[static 64]);
