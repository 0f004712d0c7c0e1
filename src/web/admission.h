// SPDX-License-Identifier: MIT
// The connections of a server, and who must go when there are more than it can hold: whoever comes
// is let in, and the one that has been getting on least goes, of the address that has most of them.
// One that asks and reads what it is answered is never the one. Those who watch by WebSocket
// stay; no address may have so many that no room is left. And no address has more than its share of
// a turn of the loop, so that thousands of connections of one keep another waiting for no longer
// than a few of them would. Pure: who goes is told to `drop`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ADMISSION_LISTS = 1024,
    ADMISSION_SHARE = 32, // what an address may cost in a turn
};

// Where connections come from. Made by admission_join, freed with the last of them.
struct address {
    struct address *next; // of its list
    uint32_t number;
    int members; // visitors, watchers, and those dropped that have not left yet
    int visitors, watchers;
    int64_t turn; // that it has spent so much of:
    int spent;
    size_t waiting; // bytes to be written, of all of them
};

// One connection. Made by admission_join, freed by admission_leave.
struct member {
    struct member *older, *newer; // among those that do not watch
    void *connection;
    struct address *address;
    size_t waiting; // bytes to be written
    bool watching, dropped;
};

// Zeroed by its owner but for the first two.
struct admission {
    int most;
    void (*drop)(void *connection); // is to be closed, and to leave, also from within
    int count, watchers;
    struct member *oldest, *newest; // those that do not watch, by when they last got on
    struct address *addresses[ADMISSION_LISTS];
};

// A connection from an address; NULL if there is no room.
struct member *admission_join(struct admission *admission, void *connection, const char *address);
// It has got on: has asked, or has taken some of its answer.
void admission_touch(struct admission *admission, struct member *member);
// It watches from now on; false if its address has too many that do.
bool admission_watch(struct admission *admission, struct member *member);
// Whether its address may have this done in this turn, which costs so much; turns are told apart by
// their numbers.
bool admission_may(const struct member *member, int64_t turn, int cost);
// It has cost so much more in this turn.
void admission_spend(const struct member *member, int cost);
// So many bytes wait to be written to it from now on.
void admission_hold(struct member *member, size_t bytes);
// It is closed.
void admission_leave(struct admission *admission, struct member *member);
