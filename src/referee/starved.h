// SPDX-License-Identifier: MIT
// How long a process wanted to run and was not let, because the machine was busy.
#pragma once

#include <stdint.h>

// A player as the kernel sees him.
struct runner {
    int pid;        // of his first process; -1: not known
    int64_t cpu_us; // CPU time of all his processes so far, or -1
};

// Looked at when half the time of a turn is over, and when all of it is. Reading costs too much for
// every move, so the first half is not measured.
struct starved {
    int64_t asked_us, asked_cpu_us;
    int64_t begun_us; // half time; 0: still to come
    int64_t cpu_us, wait_us;
    int64_t credit_us; // by which half time itself came late
};

// A turn begins.
void starved_init(struct starved *s, int64_t cpu_us, int64_t now_us);
// Half its time is over, or was at `due_us`.
void starved_begin(struct starved *s, const struct runner *r, int64_t due_us, int64_t now_us);
// The time since then that the first process waited for a core while none of them ran, credit
// included.
int64_t starved_us(const struct starved *s, const struct runner *r, int64_t now_us);
