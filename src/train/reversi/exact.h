// SPDX-License-Identifier: MIT
// Exact values of late positions, for training: the solver with a small table of its own.
#pragma once

#include "engine/reversi/board.h"

struct exact;

struct exact *exact_new(const struct variant *variant);
void exact_free(struct exact *exact);
// Forgets what it knows, so that nothing depends on what came before.
void exact_clear(struct exact *exact);
// The value in discs, found from `guess`, and a best move if asked for (the player has one).
int exact_score(struct exact *exact, const struct board *board, int guess, int *square);
