// SPDX-License-Identifier: MIT
// The schedules there are, a file each.
#pragma once

#include "contest/schedule.h"

extern const struct schedule schedule_league;   // everybody meets everybody
extern const struct schedule schedule_gauntlet; // a few meet all the others
extern const struct schedule schedule_swiss;    // round by round, equals meet
extern const struct schedule schedule_knockout; // who loses is out
extern const struct schedule schedule_double;

// A round of a double elimination as it is told: its number from 1 among those of the "winners",
// the "losers" or the "final".
int double_round(int round, const char **bracket); // who loses twice is out
