// SPDX-License-Identifier: MIT
// The schedules there are, a file each.
#pragma once

#include "contest/schedule.h"

extern const struct schedule schedule_league;   // everybody meets everybody
extern const struct schedule schedule_gauntlet; // a few meet all the others
extern const struct schedule schedule_swiss;    // round by round, equals meet
extern const struct schedule schedule_knockout; // who loses is out
extern const struct schedule schedule_double;   // who loses twice is out
