// SPDX-License-Identifier: MIT
// What a meeting needs to be decided, and who has won it, from its games so far.
// The caller owns every array and frees the lists filled.
#pragma once

#include "contest/job.h"

// Games that shall be played.
struct wanted {
    struct stored_game *list;
    int count, room;
};

struct results {
    struct result *list;
    int count, room;
};

// Judges a meeting of two players of the field by its games, ordered by leg and attempt: sets
// whether it is over, its winner, points and worth. Adds what counts for the table to `results`,
// and the games it still needs to `wanted`.
void meeting_judge(const struct plan *plan, struct meeting *meeting,
                   const struct stored_game *games, int count, struct results *results,
                   struct wanted *wanted);
// Whether a leg was played out against the house; `winner` is then the player who did better, or
// NOBODY. An annulled game is compared with nothing.
bool meeting_house(const struct stored_game *list, int count, int leg, int *winner);
// As meeting_judge, for one who has no opponent.
void meeting_rest(const struct plan *plan, struct meeting *meeting, struct results *results);

void results_add(struct results *results, const struct result *result);
