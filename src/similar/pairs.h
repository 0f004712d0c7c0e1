// SPDX-License-Identifier: MIT
// Which submissions have code in common, and how much.
#pragma once

#include "base/json.h"
#include "similar/submission.h"

enum { PAIR_LEAST = 5, PAIR_FLAGGED = 25 }; // percent: what is told at all, what contests ask about

struct pair {
    int a, b;          // submissions, by number
    double percent[2]; // of the own code of a that b has too, and the other way
};

// Zeroed by its owner, freed by pairs_done.
struct pairs {
    struct pair *at; // the most alike first
    int count;
};

// Compares every submission with every other, but not two from outside. All must have prints.
void pairs_compare(struct pairs *pairs, const struct submission *list, int count);
void pairs_done(struct pairs *pairs);
double pair_most(const struct pair *pair); // the larger of its percents

// Who hangs together through pairs of at least so many percent: group[i] is the least number in the
// group of i, its own if it is alone.
void pairs_group(const struct pairs *pairs, double percent, int count, int *group);
// The groups of two and more, each as a list of names; the caller frees it.
json_t *pairs_groups(const struct submission *list, int count, const int *group);
