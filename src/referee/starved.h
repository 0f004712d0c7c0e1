// SPDX-License-Identifier: MIT
// How long a process wanted to run and was not let, because the machine was busy.
#pragma once

#include <stdint.h>

// Begun at half time of a turn, asked when its time is up. Reading costs too much for every move,
// so the first half is not measured.
struct starved {
    int64_t begun_us, cpu_us, wait_us; // at half time; begun_us 0: not begun
    int64_t credit_us;                 // by which half time itself came late
};

void starved_begin(struct starved *s, int pid, int64_t cpu_us, int64_t due_us, int64_t now_us);
// The time since then that the process waited for a core while it did not run, credit included.
int64_t starved_us(const struct starved *s, int pid, int64_t cpu_us, int64_t now_us);
