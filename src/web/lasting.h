// SPDX-License-Identifier: MIT
// What outlives a server that falls and is started again: plain memory that its starter shares with
// it. Which contests were going on stands here and not in a file: whoever starts a server by hand
// decides himself what goes on.
#pragma once

#include "web/room.h"

#include <stdbool.h>
#include <stdint.h>

enum { LASTING_CONTESTS = 64 };

// A contest that is being played, and how far it was when that was told last.
struct lasting_contest {
    char id[ROOM_ID_MAX]; // "": a free place
    int64_t done, expected;
};

// Zeroed by its owner.
struct lasting {
    bool up;              // the server has come up since it was started
    int port, judge_port; // where it listens; 0: not known yet, or nowhere
    struct lasting_contest going[LASTING_CONTESTS];
};

// A contest goes on from now on, and is so far, or does not.
void lasting_set_going(struct lasting *lasting, const struct lasting_contest *contest, bool going);
// One that goes on; NULL: it does not.
const struct lasting_contest *lasting_find(const struct lasting *lasting, const char *id);
