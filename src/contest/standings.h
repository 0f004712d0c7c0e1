// SPDX-License-Identifier: MIT
// The table of a contest, from its games alone.
// The caller owns every array.
#pragma once

#include "spec/spec.h"

#include <stdbool.h>

enum { RESULT_NOBODY = 2 }; // neither has won, and it is no draw: both have lost

// A game that counts, or several between the same two with the same result.
struct result {
    int player[2]; // black, white: places in the field; NOBODY as white: a bye, won by black
    int winner;    // 0 or 1, the place in `player`; -1: drawn; RESULT_NOBODY
    int scores[2]; // of the game, or zeros; added up over several
    int more;      // how many there are besides the first
};

struct standing {
    int player;
    int rank; // from 1; those who are equal in everything share one
    int played, won, drawn, lost;
    int points;
    int tie[TIE_BREAK_COUNT]; // Buchholz and Sonneborn-Berger in halves
};

const char *tie_break_word(enum tie_break tie_break);
// The tie-break of that name, or TIE_BREAK_COUNT.
enum tie_break tie_break_find(const char *word);

// Fills in a standing for each of `players`, best first. A disqualified player comes last, and
// without points.
void standings_make(const struct table_rules *rules, const struct result *results, int count,
                    const bool *disqualified, int players, struct standing *standings);
