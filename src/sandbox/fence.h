// SPDX-License-Identifier: MIT
// Where there are no walls: Landlock, on kernels that have it, keeps a player from writing outside
// its folder, and from those that have started it.
#pragma once

#include <stdbool.h>

struct fence {
    int folder;     // where it may write, opened by whoever may go there; -1: nowhere
    bool temporary; // and in /tmp
    int port;       // where it may connect to by TCP, on kernels since 6.7; 0: nowhere
};

// From here on, for this process and all that come of it; nothing, where the kernel has none. It
// must have given up new privileges. False with errno set.
bool fence_load(const struct fence *fence);
