// SPDX-License-Identifier: MIT
// What a boxed player gets to see of our files, besides the system: what its command names.
#pragma once

#include "referee/player.h"

// Makes both players ready for the box of these terms, or says why one cannot be.
bool screen_players(struct player *first, struct player *second, const struct terms *terms,
                    struct err *err);
// Whether all teams that play connect from behind walls, through doors of their own: then our own
// port does not matter, and may be another game's.
bool screen_has_doors(const struct player *first, const struct player *second,
                      const struct box *box);
