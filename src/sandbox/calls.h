// SPDX-License-Identifier: MIT
// The system calls of players, by number: the one list of what all may use, and what is added for
// some. What a call may be used for is in filter.c.
#pragma once

#include <stddef.h>

// Those that this machine does not have are negative.
struct calls {
    const int *list;
    size_t count;
};

extern const struct calls calls_common; // for all
extern const struct calls calls_wine;   // and for wine
extern const struct calls calls_walled; // and for who has an IPC namespace of its own
extern const struct calls calls_denied; // for nobody: they answer EPERM, as programs expect
