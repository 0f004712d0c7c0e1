// SPDX-License-Identifier: MIT
// A descriptor that stays its owner's, watched for input. A watch is freed by watch_free, also
// inside its own callback, or by loop_free.
#pragma once

#include "link/loop.h"

struct watch;

// Calls `ready` whenever the descriptor can be read without waiting, once watch_set says so. NULL
// for a descriptor that is always ready (a file): there is nothing to watch.
struct watch *watch_new(struct loop *loop, int fd, void (*ready)(void *owner), void *owner);
void watch_set(struct watch *watch, bool on);
void watch_free(struct watch *watch);
