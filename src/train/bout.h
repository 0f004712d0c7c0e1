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
    // Plays a game of a pair, which depends on nothing but the pair's number. The first player has
    // black, or white if `swapped`. Returns black's margin: above 0 if he has won. Called by
    // several threads.
    int (*play)(const void *players, int pair, bool swapped);
    const void *players;
};

// Says the points of the first player with their 95 % interval. As of a trainer.
bool bout_play(const struct bout *bout, struct err *err);
