// SPDX-License-Identifier: MIT
// New weights from samples.
#pragma once

#include "train/reversi/selfplay.h"
#include "train/train.h"

struct lesson {
    const struct training *training;
    const char *name;   // of the files that scores found by search are kept in
    int depth;          // of the search for scores; 0: the scores are as the games ended
    int result_percent; // weight of the game's end in such a score
    double pull;        // towards the weights of the stage after, as that many samples
};

// Fills in the weights of an empty evaluation. Changes the order of the samples, and their scores.
// As of a trainer.
bool learn_weights(const struct lesson *lesson, struct sample *samples, size_t count,
                   struct eval *eval, struct err *err);
