// SPDX-License-Identifier: MIT
// What arbiter-box is told on its command line. The texts are borrowed from there.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    SHOWS_MAX = 64,
    NICE_ZERO = 100,
    // Levels: each holds what those below it hold.
    LEVEL_LIMITS = 0,
    LEVEL_FILTER = 1,     // system calls are filtered
    LEVEL_NAMESPACES = 2, // it sees and reaches nothing that it is not shown
    LEVEL_GROUPS = 3,     // its memory is counted and it is frozen as a whole, by whoever starts us
};

struct options {
    bool probe;
    bool inside; // we are the second stage, within the namespaces
    int64_t level;
    int64_t memory;     // bytes of address space for each process; 0: no limit
    int64_t files;      // bytes of all its files
    int64_t processes;  // at once
    bool wine;          // it is wine: address space is not limited, and it needs more calls
    bool uncounted;     // its memory is bounded, but not by who can count all of it
    bool locks;         // it may lock files
    bool tell;          // what it is refused is told on its standard error
    bool alone;         // it may not fork
    int64_t port;       // of the judge, on the loopback; 0: it speaks on pipes
    int64_t door;       // descriptor where the socket that listens there is handed over; 0: none
    int64_t freezer;    // descriptor of the group to be frozen in, entered inside; 0: none
    int64_t input;      // descriptors that become standard input and output inside; 0: as they
    int64_t output;     // are
    int64_t begun;      // descriptor that is closed when the player begins; 0: none
    int64_t core;       // descriptor of the group that its core is shared out by; likewise
    int64_t self;       // descriptor of our own program, to be closed; 0: none
    int64_t nice;       // to become again, counted from -NICE_ZERO; 0: as we are
    int64_t uid;        // to become; 0: stay who we are
    const char *folder; // to start in, where there are no namespaces
    const char *show[SHOWS_MAX]; // what it may read besides the system
    int shows;
    char **words; // the command
};

// Reads them, or says what is wrong and exits.
void options_read(struct options *options, char **argv);
