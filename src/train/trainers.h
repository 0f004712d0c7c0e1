// SPDX-License-Identifier: MIT
// What can be trained or measured: the trainers of all games.
#pragma once

#include "train/train.h"

// It returns true when it is done. It returns false with an error, or without one when the time is
// up; called again it goes on with what is in the folder.
typedef bool trainer_run(const struct training *training, struct err *err);

struct trainer {
    const char *game, *part; // "weights", or what else is fitted
    const char *help;
    trainer_run *run;
};

// Ended by one without a game, which trains any that came as a folder.
extern const struct trainer trainers[];

// Weights of an evaluation, from games against itself: weights-N.bin for each generation N in the
// folder, the last is the best.
trainer_run reversi_train, tower4_train, hopchess_train, connect6_train;
// What the cells and patterns of any game are worth: weights.bin in the folder, and the curve.
trainer_run general_train;
// How far short searches of reversi are from deep ones: says the lines of the table in
// engine/reversi/probcut.c. `games` of the training are positions.
trainer_run reversi_probcut;
// What values of the search of hopchess come to in pieces: says the curve in
// engine/hopchess/score.c.
trainer_run hopchess_score;

// These leave nothing but their results, which they say.
// The error of all weights in the folder on solved positions; `games` of the training are
// positions.
trainer_run reversi_check;
// The engine against itself without one of its techniques, for each of them, both with the same
// nodes; of hopchess also the weights of each generation in the folder against those before.
trainer_run tower4_ablation, hopchess_ablation, connect6_ablation;
// Each generation of weights in the folder against the one before.
trainer_run tower4_curve;
// What a small book could be worth where it could be used, after one stone and without blocks: no
// more than an answer thought of with many nodes. Plays with such a thought against without.
trainer_run connect6_book;
