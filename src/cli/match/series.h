// SPDX-License-Identifier: MIT
// A series of games between two players, in this process or shared among worker processes.
#pragma once

#include "base/json.h"
#include "referee/sitting.h"

#include <stdio.h>

struct series {
    struct sitting_config config; // of every sitting, but for its loop, lobby and players
    struct player player[2];
    char **openings; // from a file, used in turn; NULL: none
    int opening_count;
    int games; // in pairs: every other one with colours swapped
    const char *address;
    int port;
    int jobs, cores; // games at once, and cores for each
    // A game has ended, in the order of their numbers; takes the record. False ends the series.
    bool (*ended)(void *owner, int index, json_t *record);
    // Shows a running game, where there is one process; may be NULL.
    void (*moved)(void *owner, const struct match *match);
    void (*note)(void *owner, const char *words);
    void *owner;
};

// Plays it; false with an error when it cannot. Sets `interrupted` if somebody ended it early: the
// games under way have then ended as aborted. The same seed plays the same games, whatever `jobs`
// is.
bool series_play(struct series *series, bool *interrupted, struct err *err);
