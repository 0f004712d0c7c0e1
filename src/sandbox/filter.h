// SPDX-License-Identifier: MIT
// Which system calls a player may not use.
#pragma once

#include <stdbool.h>

enum { GUARDED_MAX = 40 };

struct filter {
    bool internet; // it may connect by IPv4: to the judge, where it reaches nothing else
    bool walled;   // it has a network of its own, where it may listen
    bool alone;    // no new processes; threads are its own affair
    bool counted;  // a control group counts its memory, also that which belongs to no process
    int guarded[GUARDED_MAX]; // processes and groups that it may do nothing to
    int guarded_count;
};

// From here on, for this process and all that come of it. False with errno set.
bool filter_load(const struct filter *filter);
