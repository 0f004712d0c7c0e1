// SPDX-License-Identifier: MIT
// How long a contest will take, before it begins.
#pragma once

#include "base/json.h"
#include "contest/plan/plan.h"

struct contest_estimate {
    int games;      // in all, as far as can be said; of a best of N as few as it takes
    int jobs;       // at once
    int turns;      // of a game, by games of random moves
    double turn_s;  // the limit of a turn, the mean where it is drawn; 0: there is none
    int tried;      // test games that it is known from; 0: none
    double tried_s; // what one of them took
    double seconds; // what comes of it: by the test games, else if every turn takes its whole
                    // limit; 0: nobody knows
};

void estimate_init(struct contest_estimate *estimate, const struct plan *plan);
// The record of a test game on this machine.
void estimate_take(struct contest_estimate *estimate, const json_t *record);
// When all is known: {"games","jobs","turns","turn_s","tried","tried_s","seconds"}.
json_t *estimate_json(struct contest_estimate *estimate);
