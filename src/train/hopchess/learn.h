// SPDX-License-Identifier: MIT
// Fits the net of hopchess to games. A network is not linear in its weights, so this is not fit.h:
// it follows the gradient by small batches (Adam).
#pragma once

#include "train/hopchess/selfplay.h"

struct hop_lesson {
    const struct hop_sample *samples;
    size_t count;
    int held_percent; // of the games are left out, to measure with
    int passes;       // through the samples
    double result;    // share of the game's result in what is aimed at; the search has the rest
    uint64_t seed;
    // After a pass: mean losses (cross entropy, less that of the target itself).
    void (*tell)(void *listener, int pass, double trained, double held);
    void *listener;
};

void hop_learn(const struct hop_lesson *lesson, struct hopnet *net);
