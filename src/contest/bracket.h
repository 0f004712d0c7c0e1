// SPDX-License-Identifier: MIT
// What knock-out schedules share: the tree, and who comes out of a meeting.
#pragma once

#include "contest/schedule.h"

// The least power of two that has room for so many, and its exponent.
int bracket_rounds(int players);
// Who begins at a place of a bracket of 2^rounds places: seeds 0 and 1 can meet only in the final,
// 0 to 3 only in the semi-finals, and so on. NOBODY where there is no such player.
int bracket_entrant(int place, int rounds, int players);
// Who won and who lost a meeting that is over; a drawn one goes to the better seed.
int bracket_winner(const struct meeting *meeting);
int bracket_loser(const struct meeting *meeting);
