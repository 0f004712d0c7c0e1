// SPDX-License-Identifier: MIT
// What outlives a server that falls and is started again: plain memory that its starter shares with
// it. Which contests were going on stands here and not in a file: whoever starts a server by hand
// decides what goes on.
#pragma once

#include "web/practice.h"

#include <stdbool.h>
#include <stdint.h>

enum { RESTART_STATE_CONTESTS = 64 };

// A contest that is being played, and how far it was when that was told last.
struct restart_state_contest {
    char id[GAME_ID_MAX]; // "": a free place
    int64_t done, expected;
};

// Zeroed by its owner.
struct restart_state {
    bool up;              // the server has come up since it was started
    int port, judge_port; // where it listens; 0: not known yet, or nowhere
    struct restart_state_contest going[RESTART_STATE_CONTESTS];
};

// A contest goes on from now on, and is so far, or does not.
void restart_state_set_going(struct restart_state *restart,
                             const struct restart_state_contest *contest, bool going);
// One that goes on; NULL: it does not.
const struct restart_state_contest *restart_state_find(const struct restart_state *restart,
                                                       const char *id);
