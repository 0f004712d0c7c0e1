// SPDX-License-Identifier: MIT
// The table of a knock-out: by how far everybody came.
#pragma once

#include "contest/schedule.h"
#include "contest/standings.h"

// Puts the standings of a knock-out or double elimination in order: who is still in, then who went
// out last. `players` are the places in the contest of the field's. Leaves other formats alone.
void ladder_sort(const struct format *format, const struct meetings *meetings, const int *players,
                 const bool *disqualified, struct standing *standings, int count);
