// SPDX-License-Identifier: MIT
// What a position is worth before it is searched.
#pragma once

#include "engine/reversi/board.h"

enum { EVAL_DISC = 128 }; // the unit of a score is a disc divided by this

struct eval; // the weights of one board, shared and read-only

const struct eval *eval_find(enum board_kind kind);
// For the player to move.
int eval_score(const struct eval *eval, const struct board *b);
