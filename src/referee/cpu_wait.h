// SPDX-License-Identifier: MIT
// How long a player wanted to run and was not let, because the machine was busy: the time in which
// some thread of its processes was runnable and none of them ran. Pure: what the kernel says comes
// in as values (link_run_times), now and then.
#pragma once

#include "link/link.h"

// A moment: CPU time of all of them, and what was counted, up to then.
struct cpu_wait_mark {
    int64_t at_us, cpu_us, sure_us;
};

struct seen_thread {
    struct thread_time last; // at the last look
    // At a look when it slept, or when it was first seen: no wait was open.
    int64_t base_ran_ns, base_waited_ns;
    struct cpu_wait_mark base;
    // The first of the looks since when it is runnable and nothing has come of it.
    struct cpu_wait_mark since;
    int64_t maybe_us; // of that wait came before
};

// Of one turn, or of the start of a player.
struct cpu_wait {
    bool at_start;    // of a player
    bool begun;       // its own program had, at the last look
    bool runnable;    // one of them was, at the last look
    int64_t asked_us; // when it began
    int64_t at_us;    // the last look; asked_us: none yet
    int64_t cpu_us, rival_cpu_us, kernel_us;
    int64_t total_us;      // so far, which is believed
    int64_t sure_us;       // and of that what is certain
    int64_t idle_us;       // in which none of them ran: there cannot be more
    int64_t rival_us;      // of the total, while its opponent ran
    int64_t rival_rest_us; // and what it ran in waits that are not over, which count when they are
    int64_t maybe_us;      // and so much more, at most, in waits that are not over
    int64_t cost_us;       // CPU time that the last look took from whoever plays
    int count;             // threads that were there
    struct seen_thread thread[RUN_THREADS_MAX];
};

// A turn begins: CPU time of the player, and of its opponent, by then; -1: not known.
void cpu_wait_init(struct cpu_wait *s, int64_t cpu_us, int64_t rival_cpu_us, int64_t now_us);
// Adds what has come since the last look. If the player has just `answered`, it was on a core.
void cpu_wait_look(struct cpu_wait *s, const struct run_times *times, int64_t rival_cpu_us,
                   bool answered);
// When to look again, within this limit.
int64_t cpu_wait_next_us(const struct cpu_wait *s, int64_t limit_us);
