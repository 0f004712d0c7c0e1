// SPDX-License-Identifier: MIT
// Which system calls a player may use, and for what.
#pragma once

#include <linux/seccomp.h>
#include <stdbool.h>

enum { GUARDED_MAX = 40 };

struct filter {
    bool internet; // it may connect by IPv4: to the judge, where it reaches nothing else
    bool walled;   // it has a network and an IPC namespace of its own
    bool alone;    // no new processes; threads are its own affair
    bool counted;  // a control group counts its memory, also that which belongs to no process
    bool wine;     // it is wine, which needs more
    bool locks;    // it may lock files: nobody else is there whom that could tell anything
    int guarded[GUARDED_MAX]; // processes and groups that it may do nothing to
    int guarded_count;
};

// From here on, for this process and all that come of it. False with errno set.
bool filter_load(const struct filter *filter);
// The same, but what is refused waits for whoever answers on the descriptor that this returns;
// -1 with errno set.
int filter_load_asking(const struct filter *filter);
// What a call is answered with: an error, or 0 if it is allowed.
int filter_answer(const struct filter *filter, const struct seccomp_data *call);
