// SPDX-License-Identifier: MIT
// How a program that fell is told of: the cause, and for SEGV, ABRT, BUS, FPE and ILL where it was.
// The one who may fall writes what it can without touching its memory; whoever started it reads
// that afterwards and puts names to it.
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum { CRASHES_MOST = 5, CRASHES_WITHIN_US = 60000000 };

// The last falls. Zeroed by its owner.
struct crashes {
    int64_t at_us[CRASHES_MOST];
    int count;
};

// One more; true if there were CRASHES_MOST within CRASHES_WITHIN_US, this one among them.
bool crash_add(struct crashes *falls, int64_t now_us);
// How many of them, the last one among them, lie within CRASHES_WITHIN_US.
int crash_lately(const struct crashes *falls, int64_t now_us);

// From now on a fatal signal of this process writes its trace to this descriptor, which is put
// aside at another number. Where a sanitizer watches, it reports instead.
bool crash_watch(int fd);
// The words of a trace that was read from there, a line for each function; none if there is none.
void crash_tell(struct buf *out, const char *trace, size_t length);
