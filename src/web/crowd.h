// SPDX-License-Identifier: MIT
// The connections of a server, and who must go when there are more than it can hold: whoever comes
// is let in, and the one that has been getting on least goes, of the address that has most of them.
// A visitor who asks and reads what he is answered is never the one. Those who watch by WebSocket
// stay; no address may have so many that no room is left. Pure: who goes is told to `drop`.
#pragma once

#include <stdbool.h>

enum { CROWD_SLOTS = 1024 };

// One connection. Made by crowd_join, freed by crowd_leave.
struct member {
    struct member *older, *newer; // among those that do not watch
    void *connection;
    int slot; // of its address; addresses that share one share its room
    bool watching, dropped;
};

// Zeroed by its owner but for the first two.
struct crowd {
    int most;
    void (*drop)(void *connection); // is to be closed, and to leave then; not from within
    int count, watchers;
    struct member *oldest, *newest; // those that do not watch, by when they last got on
    int visitors_of[CROWD_SLOTS], watchers_of[CROWD_SLOTS];
};

// A connection from an address; NULL if there is no room.
struct member *crowd_join(struct crowd *crowd, void *connection, const char *address);
// It has got on: has asked, or has taken some of its answer.
void crowd_touch(struct crowd *crowd, struct member *member);
// It watches from now on; false if its address has too many that do.
bool crowd_watch(struct crowd *crowd, struct member *member);
// It is closed.
void crowd_leave(struct crowd *crowd, struct member *member);
