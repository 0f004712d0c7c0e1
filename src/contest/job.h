// SPDX-License-Identifier: MIT
// A game of a contest as something to be played. All that is drawn for it comes from the seed of
// the contest and the game's place in it (stage, round, table, leg) and its blocks, so that whoever
// plays it, and however often it was begun or set back, it is played under the same conditions.
#pragma once

#include "contest/plan/plan.h"
#include "store/store.h"

// Legs from here on are games against the house, two for each leg that stayed undecided: the
// meeting's first player has the even one.
enum { HOUSE_LEG = 1000 };

uint64_t job_seed(const struct plan *plan, const struct stored_game *game);
// Whether it was drawn together with its neighbour.
bool job_is_paired(const struct plan *plan, const struct stored_game *game);
// What its conditions are drawn from.
struct conditions job_conditions(const struct plan *plan, const struct stored_game *game);
// What it is played under; the opening is freed by the caller.
bool job_deal(const struct plan *plan, const struct stored_game *game, struct deal *deal,
              struct err *err);
// How many blocked cells it has.
int job_blocks(const struct plan *plan, const struct stored_game *game);
