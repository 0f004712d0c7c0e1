// SPDX-License-Identifier: MIT
// The kernel keeps for every thread how long it has run and how long it has waited for a core, but
// adds a wait only when it is over. A thread that is runnable at two looks and has not run in
// between has waited all that time.
//
// What is wanted is the time in which some thread waited and none ran. While thread i waits it does
// not run, and the others together ran for `cpu - ran_i` at most, so
//
//     waited_i - (cpu - ran_i)
//
// is never more than that, for any i and since any moment: what was counted since then is taken
// off, and the largest rest over all threads is added at each look. It is exact for a player
// that thinks in one thread, whichever it is and behind however many shells. With several at work
// it falls short by what they run, which is little when they are kept from running. And it cannot
// be farmed: threads and processes that compete with each other run, and what they run is taken off
// (docs/decisions/0003-cpu_wait-players.md). A control group of version 2 has the time itself; no
// more of that counts either than none of them ran.
//
// Threads and processes that live between two looks take what they waited with them. So more is
// believed than is certain: if one of them was runnable at two looks, all the time in between in
// which none ran. A player that deceives us there gets back time in which it did nothing; but no
// game is played again for that, except at the start, when nobody has one to lose.
//
// When a wait began that is not over is known only when it is: `maybe_us` is what may come of that.
//
// At the start it is we who run at first: the keeper, the box and its walls, which on a busy
// machine wait for the kernel's own locks too. Until the player's program is seen to have begun all
// time is ours.
//
// A turn costs nothing until its first look, and turns that are answered at once have none. What
// was waited for before the first look is known only if it was all of the time. To look at a
// hundred processes takes milliseconds, on the core that is played on: looks that cost more come
// less often.
#include "referee/cpu_wait.h"

#include <assert.h>

enum {
    FIRST_MIN_US = 2000,   // no look at a turn before this,
    FIRST_MAX_US = 10000,  // nor the first one later
    FIRST_PART = 64,       // of the limit
    LOOK_MAX_US = 250000,  // from look to look,
    START_LOOK_US = 50000, // at the start
    IDLE_PART = 20,        // of the time before the first look that it may have run
    COST_PART = 50,        // of the time that looking may take
};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

void cpu_wait_init(struct cpu_wait *s, int64_t cpu_us, int64_t rival_cpu_us, int64_t now_us) {
    s->asked_us = s->at_us = now_us;
    s->cpu_us = cpu_us;
    s->rival_cpu_us = rival_cpu_us;
    s->kernel_us = -1;
    s->total_us = s->sure_us = s->idle_us = s->rival_us = s->rival_rest_us = s->maybe_us = 0;
    s->at_start = s->begun = false;
    s->runnable = true; // it has been sent something
    s->cost_us = 0;
    s->count = 0;
}

static struct cpu_wait_mark mark_of(const struct cpu_wait *s) {
    return (struct cpu_wait_mark){.at_us = s->at_us, .cpu_us = s->cpu_us, .sure_us = s->sure_us};
}

// A thread that was not there at the last look was born since then.
static struct seen_thread find(const struct cpu_wait *s, int id, int hint) {
    if (hint < s->count && s->thread[hint].last.id == id)
        return s->thread[hint];
    for (int i = 0; i < s->count; i++)
        if (s->thread[i].last.id == id)
            return s->thread[i];
    return (struct seen_thread){.last = {.id = id}, .base = mark_of(s), .since = mark_of(s)};
}

// Whether it was runnable and nothing has come of it since the last look: it waits.
static bool is_open(const struct seen_thread *seen, const struct thread_time *now) {
    return seen->last.runnable && now->runnable && now->ran_ns == seen->last.ran_ns &&
           now->waited_ns == seen->last.waited_ns;
}

// What is known of a wait over a span, less what the others ran and what is counted.
static int64_t not_counted(int64_t waited_us, int64_t ran_us, const struct cpu_wait_mark *from,
                           const struct cpu_wait *s, const struct run_times *times) {
    const int64_t others_us = most(times->cpu_us - from->cpu_us - ran_us, 0);
    return waited_us - others_us - (s->sure_us - from->sure_us);
}

// What the waiting of a thread adds: since it last slept, or in a wait that is not over alone. At
// the first look a wait may have been open that began before.
static int64_t by_thread(const struct seen_thread *seen, const struct thread_time *now,
                         const struct cpu_wait *s, const struct run_times *times) {
    const int64_t open_us = is_open(seen, now) ? times->at_us - seen->since.at_us : 0,
                  ran_us = (now->ran_ns - seen->base_ran_ns) / 1000,
                  span_us = times->at_us - seen->base.at_us - ran_us,
                  waited_us = (now->waited_ns - seen->base_waited_ns) / 1000 + open_us;
    return most(not_counted(least(waited_us, span_us), ran_us, &seen->base, s, times),
                not_counted(open_us, 0, &seen->since, s, times));
}

// The most over all threads.
static int64_t by_threads(const struct cpu_wait *s, const struct run_times *times) {
    int64_t best = 0;
    for (int i = 0; i < times->count; i++) {
        const struct seen_thread seen = find(s, times->thread[i].id, i);
        best = most(best, by_thread(&seen, &times->thread[i], s, times));
    }
    return best;
}

static bool one_is_runnable(const struct run_times *times) {
    for (int i = 0; i < times->count; i++)
        if (times->thread[i].runnable)
            return true;
    return false;
}

// Before the first look nothing is known of the threads: only that none has run, if so.
static int64_t at_first(const struct cpu_wait *s, const struct run_times *times) {
    const int64_t window_us = times->at_us - s->at_us, cpu_us = times->cpu_us - s->cpu_us;
    return one_is_runnable(times) && cpu_us <= window_us / IDLE_PART ? window_us - cpu_us : 0;
}

// How long a thread may have waited by now in a wait that is not over and began after the last
// look, when it had run since: as long as it did not run, and no longer than is unknown since the
// base.
static int64_t maybe_us(const struct seen_thread *seen, const struct thread_time *t,
                        const struct cpu_wait *s, int64_t window_us) {
    const int64_t ran_us = (t->ran_ns - seen->last.ran_ns) / 1000;
    const int64_t known_us =
        (t->ran_ns - seen->base_ran_ns + t->waited_ns - seen->base_waited_ns) / 1000;
    return most(least(window_us - ran_us, s->at_us - seen->base.at_us - known_us), 0);
}

// A thread at this look, when all that it tells is counted.
static struct seen_thread keep_thread(const struct seen_thread *seen, const struct thread_time *t,
                                      const struct cpu_wait *s, int64_t window_us) {
    struct seen_thread now = *seen;
    now.last = *t;
    if (!is_open(seen, t)) {
        now.since = mark_of(s);
        now.maybe_us = t->runnable ? maybe_us(seen, t, s, window_us) : 0;
    }
    if (!t->runnable || s->count == 0) {
        now.base = mark_of(s);
        now.base_ran_ns = t->ran_ns;
        now.base_waited_ns = t->waited_ns;
    }
    return now;
}

static void keep_threads(struct cpu_wait *s, const struct run_times *times, int64_t window_us) {
    struct seen_thread now[RUN_THREADS_MAX];
    s->maybe_us = 0;
    for (int i = 0; i < times->count; i++) {
        const struct seen_thread seen = find(s, times->thread[i].id, i);
        now[i] = keep_thread(&seen, &times->thread[i], s, window_us);
        s->maybe_us = most(s->maybe_us, now[i].maybe_us);
    }
    for (int i = 0; i < times->count; i++)
        s->thread[i] = now[i];
    s->count = times->count;
}

void cpu_wait_look(struct cpu_wait *s, const struct run_times *times, int64_t rival_cpu_us,
                   bool answered) {
    assert(times->count <= RUN_THREADS_MAX);
    const int64_t window_us = times->at_us - s->at_us;
    const int64_t idle_us = most(window_us - (times->cpu_us - s->cpu_us), 0);
    if (s->cpu_us < 0 || times->cpu_us < 0 || window_us <= 0)
        return;
    const bool runnable = one_is_runnable(times);
    int64_t sure_us = s->at_us == s->asked_us ? at_first(s, times) : by_threads(s, times);
    int64_t cpu_wait_us = s->runnable && (runnable || answered) ? most(sure_us, idle_us) : sure_us;
    if (s->kernel_us >= 0 && times->cpu_wait_us >= 0)
        cpu_wait_us = sure_us = least(times->cpu_wait_us - s->kernel_us, idle_us);
    if (times->hidden)
        cpu_wait_us = sure_us = 0;
    const bool ours = s->at_start && !s->begun;
    if (ours) // nothing of it is the player's, whatever it was used for
        cpu_wait_us = sure_us = window_us;
    s->idle_us += ours ? window_us : idle_us;
    s->sure_us += s->at_start ? cpu_wait_us : sure_us;
    // What is certain of a wait that was believed in already is known when it is over.
    cpu_wait_us = most(least(cpu_wait_us, s->idle_us - s->total_us), s->sure_us - s->total_us);
    s->total_us += cpu_wait_us;
    if (s->rival_cpu_us >= 0 && rival_cpu_us >= 0)
        s->rival_rest_us += most(rival_cpu_us - s->rival_cpu_us, 0);
    const int64_t taken_us = least(cpu_wait_us, s->rival_rest_us);
    s->rival_us += taken_us;
    s->rival_rest_us -= taken_us;
    s->cpu_us = times->cpu_us;
    s->rival_cpu_us = rival_cpu_us;
    s->kernel_us = times->cpu_wait_us;
    s->at_us = times->at_us;
    s->runnable = runnable || ours;
    s->begun = times->begun;
    keep_threads(s, times, window_us);
    if (times->hidden)
        s->maybe_us = 0;
    s->rival_rest_us = least(s->rival_rest_us, s->maybe_us);
}

int64_t cpu_wait_next_us(const struct cpu_wait *s, int64_t limit_us) {
    const int64_t so_far = s->at_us - s->asked_us;
    const int64_t first = most(FIRST_MIN_US, least(FIRST_MAX_US, limit_us / FIRST_PART));
    const int64_t wait = most(first, least(so_far / 2, s->at_start ? START_LOOK_US : LOOK_MAX_US));
    return s->at_us + most(wait, s->cost_us * COST_PART);
}
