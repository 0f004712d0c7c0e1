// SPDX-License-Identifier: MIT
// What a boxed player gets to see of our files, besides the system: what its command names.
#pragma once

#include "referee/player.h"

// Makes both players ready for the box of these limits, or says of each why it cannot be. One that
// has no command needs no box; the other gets its own all the same.
bool box_files_show(struct player *first, struct player *second, const struct player_limits *limits,
                    struct err refusal[static 2]);
