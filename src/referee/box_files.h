// SPDX-License-Identifier: MIT
// What a boxed player gets to see of our files, besides the system: what its command names.
#pragma once

#include "referee/player.h"

// Makes both players ready for the box of these limits, or says of each why it cannot be. One that
// has no command needs no box; the other gets its own all the same.
bool box_files_show(struct player *first, struct player *second, const struct player_limits *limits,
                    struct err refusal[static 2]);
// Whether a team connects to our port, and not through a door of its own.
bool player_needs_port(const struct player *player, const struct box *box);
// Whether all teams that play connect from behind walls, through doors of their own: then our own
// port does not matter, and may be another game's.
bool players_need_no_port(const struct player *first, const struct player *second,
                          const struct box *box);
