// SPDX-License-Identifier: MIT
// What there is to know of knock-outs beside their schedules: the bracket, who comes out of a
// meeting, and the table.
#pragma once

#include "contest/schedule/schedule.h"
#include "contest/standings.h"

// The least power of two that has room for so many, and its exponent.
int bracket_rounds(int players);
// Who begins at a place of a bracket of 2^rounds places: seeds 0 and 1 can meet only in the final,
// 0 to 3 only in the semi-finals, and so on. NOBODY where there is no such player.
int bracket_entrant(int place, int rounds, int players);
// Who won and who lost a meeting that is over; a drawn one goes to the better seed.
int bracket_winner(const struct meeting *meeting);
int bracket_loser(const struct meeting *meeting);
// A round of a double elimination as it is told: its number from 1 among those of the "winners",
// the "losers" or the "final".
int double_round(int round, const char **bracket);
// Puts the standings of a knock-out or double elimination in order: who is still in, then who went
// out last. `players` are the places in the contest of the field's. Leaves other formats alone.
void knockout_table_sort(const struct format *format, const struct meetings *meetings,
                         const int *players, const bool *disqualified, struct standing *standings,
                         int count);
