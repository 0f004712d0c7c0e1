// SPDX-License-Identifier: MIT
// A small parent that starts what it has to run in a child, and starts it again when that falls.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct supervisor {
    // In a child; `again` after a fall. Returns what supervisor_run is to return there.
    int (*run)(void *owner, bool again);
    // Whether the child that has ended had come up: one that ends with an error before cannot start
    // at all. `forget`: another one is about to start.
    bool (*was_up)(void *owner);
    void (*forget)(void *owner);
    // Something is to be told: lines, each with its end.
    void (*note)(void *owner, const char *words);
    int64_t (*now_us)(void *owner); // the clock that falls are counted by
    const char *what;               // "the server"
    void *owner;
};

// Returns in every child with what `run` returned; in the parent, when it is over, with the exit
// code of all: that of a child that has ended by itself, or EXIT_FAILURE after too many falls.
// SIGTERM, SIGINT and SIGHUP end the child in order and are no falls.
int supervisor_run(const struct supervisor *supervisor);
