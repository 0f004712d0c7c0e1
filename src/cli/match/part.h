// SPDX-License-Identifier: MIT
// One process's share of a series: of its units (games, or pairs with colours swapped) every
// step-th from the first on, played one after the other. Players, rules and all else are borrowed
// from the series.
#pragma once

#include "cli/match/series.h"

struct part {
    struct series *series;
    int first, step; // units
    int from;        // the game to begin with; 0: its first one
    // Takes the record of a game; false ends the part.
    bool (*ended)(void *owner, int index, json_t *record);
    void *owner;
    struct err *err;
};

// How many units a series has.
int part_units(const struct series *series);
// The first game of a part, and the one that follows a game; -1: none.
int part_first(const struct part *part);
int part_next(const struct part *part, int index);
bool part_has_teams(const struct series *series);
bool part_has_doors(const struct series *series); // none of them needs our own port

// Plays it; false with an error when it cannot. Sets `interrupted` if SIGINT, SIGTERM or a person
// that left has ended it early. The two signals are held when it returns.
bool part_play(const struct part *part, bool *interrupted);
