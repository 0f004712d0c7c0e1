// SPDX-License-Identifier: MIT
// Games between two forms of a player, to find out what the difference is worth: pairs of games,
// the same opening twice, colours swapped. They lie in the folder of a training, in files made
// once.
#pragma once

#include "train/train.h"

enum { BOUT_PAIRS = 5, BOUT_POINTS = 2 * BOUT_PAIRS }; // of a file

struct bout {
    const struct training *training; // how many games, or 0
    const char *name;                // of the files, and of what is said
    int games;                       // if the training does not say
    // Plays the pairs from `first` on. Fills in what the first player got of each game: 2 won, 1
    // drawn, 0 lost. Called by several threads.
    void (*play)(const void *players, int first, char points[static BOUT_POINTS]);
    const void *players;
};

// Says the points of the first player with their 95 % interval. As of a trainer.
bool bout_play(const struct bout *bout, struct err *err);
