// SPDX-License-Identifier: MIT
// What a boxed player gets to see of our files, besides the system: what its command names.
#pragma once

#include "referee/player.h"

// Makes both players ready to be boxed, or says why one cannot be.
bool screen_players(struct player *first, struct player *second, struct err *err);
