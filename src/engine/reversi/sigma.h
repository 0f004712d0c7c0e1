// SPDX-License-Identifier: MIT
// How far a short search is from a deep one, for Multi-ProbCut.
#pragma once

#include "engine/reversi/board.h"
#include "engine/train.h"

// The standard deviation, in discs, of the value of a search of `depth` plies about that of one of
// `probe` plies, at so many empty squares; of the true value if the depth is their number.
double sigma_find(enum board_kind kind, int probe, int depth, int empties);

// Measures it on positions of games against itself, and says the lines of the table in sigma.c.
// `games` of the training are positions. As of a trainer.
bool sigma_train(const struct training *training, struct err *err);
