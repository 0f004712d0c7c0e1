// SPDX-License-Identifier: MIT
// The stretches that two submissions have in common, one by one, to be looked at.
#pragma once

#include "similar/submission.h"

struct tile {
    int at[2];  // first tokens
    int length; // in tokens
};

// Finds the longest first, no token in two of them; returns how many. They are the caller's to
// free, in the order of the first submission.
int tiles_find(const struct submission *a, const struct submission *b, struct tile **tiles);
