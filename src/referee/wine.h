// SPDX-License-Identifier: MIT
// Windows programs, run by wine inside the box.
#pragma once

#include "referee/player.h"

// Whether wine works in the box of these limits; if not, says what does.
bool wine_fits(const struct player *player, const struct player_limits *limits, struct err *err);
// What this machine lacks to run the programs that a player's command names, and how to get it;
// NULL: nothing that we know of.
const char *wine_lack(const struct player *player);
// Has the player's command make a home for wine first. Every player has processes of wine's own
// then, which are held, counted and ended with it.
void wine_move_in(struct player *player);
