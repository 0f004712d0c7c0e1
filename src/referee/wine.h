// SPDX-License-Identifier: MIT
// Windows programs, run by wine inside the box.
#pragma once

#include "referee/player.h"

// Whether wine works in the box of these terms; if not, says what does.
bool wine_fits(const struct player *player, const struct terms *terms, struct err *err);
// Has the player's command make a home for wine first. Every player has processes of wine's own
// then, which are held, counted and ended with it.
void wine_move_in(struct player *player);
