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

// One of the two, to be shown beside the other.
struct tile_side {
    const struct submission *of;
    const struct tile *tiles;
    int count, which; // 0: the first
};

// A stretch of text: the number of its tile, or -1 if it is in none.
typedef void tile_part(void *owner, const char *text, size_t length, int tile);
// Calls for all of a file, part by part.
void tiles_walk(const struct tile_side *side, int file, tile_part *part, void *owner);
