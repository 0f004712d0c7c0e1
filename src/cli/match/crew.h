// SPDX-License-Identifier: MIT
// A series shared among worker processes.
#pragma once

#include "cli/match/series.h"

// Plays it, as series_play, in `series->jobs` processes.
bool crew_play(struct series *series, bool *interrupted, struct err *err);
