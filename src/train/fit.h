// SPDX-License-Identifier: MIT
// Fits linear models with few of many features to a row: weights such that the sum of the weights
// of a row's features comes near its target. The caller owns all memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIT_TERMS_MAX = 512 };

struct fit_term {
    uint32_t weight; // its number
    float value;     // how often the feature is there
};

struct fit_row {
    float target;
    int count;      // of terms
    uint64_t group; // rows of one group, as of one game, are held out together
    struct fit_term terms[FIT_TERMS_MAX];
};

struct fit_data {
    size_t rows, weights;
    // Fills in a row, wherever it comes from. Called by several threads, many times for each row.
    void (*row)(const void *data, size_t number, struct fit_row *row);
    const void *data;
};

// How far a fit is. Losses are means over rows of half the squared error.
struct fit_progress {
    int round, passes; // through the data
    double trained, held;
};

struct fit_options {
    double l2;         // pulls every weight towards where it began, as that many rows would
    int rounds, steps; // rounds of so many steps; a step is a pass through the data
    int held_percent;  // of the groups are left out, to measure with
    uint64_t seed;     // chooses those
    int threads;       // the result is the same with any number
    void (*tell)(void *listener, const struct fit_progress *progress); // after a round, or NULL
    void *listener;
};

// Moves the weights from where they are, and leaves the best by the loss on what was held out; on
// all rows if nothing was.
void fit(const struct fit_data *data, const struct fit_options *options, float *weights,
         struct fit_progress *best);
// Is a group held out?
bool fit_holds(const struct fit_options *options, uint64_t group);
