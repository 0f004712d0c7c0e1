// SPDX-License-Identifier: MIT
// Where there is a control group that counts, it freezes, counts CPU time and bounds memory for
// all processes at once. Elsewhere each of these is done process by process: SIGSTOP to all (a
// player that is held may not fork, so those that are there are all), clocks read one by one,
// memory looked at now and then.
//
// A hold is confirmed before the opponent's turn begins, which nobody's clock sees. What processes
// use while they are held counts from a moment after the hold (box_processes_settle): each runs
// once more to stop, and that is not thinking.
#include "link/box_processes.h"

#include "link/core.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

enum {
    CONFIRM_TRIES = 20,
    WAITS = 400,
    WAIT_US = 50,
    OWN_PROCESSES = 4, // bubblewrap's two, and room for the shell
};

bool box_processes_init(struct box_processes *c, const struct program *program,
                        struct process_tree *tree) {
    *c = (struct box_processes){
        .box = program->box, .tree = tree, .memory = program->memory, .by_use = program->by_use};
    if (!c->box)
        return true;
    c->core = program->frozen || program->solo ? BOX_CORE_SHARED : box_core(c->box);
    if (!box_has_group(program))
        return true;
    const struct cgroups *at = &c->box->groups;
    return c->box->level < BOX_GROUPS
               ? cgroup_make_light(&c->group, at)
               : cgroup_make(&c->group, at, c->memory, BOX_PROCESSES + OWN_PROCESSES);
}

// By a group that counts and freezes.
static bool is_grouped(const struct box_processes *c) { return c->group.at && !c->group.light; }

const struct cgroup *box_processes_group(const struct box_processes *c) {
    return c->group.at ? &c->group : NULL;
}

void box_processes_favour(struct box_processes *c, bool favoured) {
    if (c->core == BOX_CORE_SHARED || favoured == !c->resting)
        return;
    c->resting = !favoured;
    switch (c->core) {
    case BOX_CORE_WEIGHTS:
        cgroup_favour(&c->group, favoured);
        break;
    case BOX_CORE_IDLE:
        core_set_idle(c->tree, !favoured);
        break;
    case BOX_CORE_APART:
        core_set_apart(c->tree, !favoured);
        break;
    case BOX_CORE_SHARED:
        break;
    }
}

int64_t box_processes_cpu_us(struct box_processes *c) {
    return is_grouped(c) ? cgroup_cpu_us(&c->group) : process_tree_cpu_us(c->tree);
}

// A group counts all that was ever inside.
void box_processes_run_times(struct box_processes *c, struct run_times *times) {
    times->cpu_us = box_processes_cpu_us(c);
    times->hidden = !is_grouped(c) && process_tree_hides(c->tree);
    times->cpu_wait_us = is_grouped(c) ? cgroup_starved_us(&c->group) : -1;
    times->count = process_tree_threads(c->tree, times->thread, RUN_THREADS_MAX);
}

// They may not fork, so those that are there are all.
static bool stop_all(struct box_processes *c) {
    process_tree_signal(c->tree, SIGSTOP);
    for (int i = 0; i < CONFIRM_TRIES; i++) {
        if (process_tree_is_stopped(c->tree))
            return true;
        sched_yield(); // it has to run once more to stop
    }
    return false;
}

static bool is_still(struct box_processes *c) {
    return is_grouped(c) ? cgroup_is_frozen(&c->group) : process_tree_is_stopped(c->tree);
}

// The other's turn has not begun, so nobody's time is lost.
static bool wait_still(struct box_processes *c) {
    for (int i = 0; i < WAITS; i++) {
        usleep(WAIT_US);
        if (is_still(c))
            return true;
    }
    return false;
}

void box_processes_hold(struct box_processes *c) {
    if (c->held)
        return;
    c->held = true;
    c->holds++;
    c->confirmed = (is_grouped(c) ? cgroup_freeze(&c->group) : stop_all(c)) || wait_still(c);
    c->held_cpu_us = -1;
}

void box_processes_settle(struct box_processes *c) {
    if (!c->held || c->held_cpu_us >= 0)
        return;
    c->confirmed = c->confirmed || is_still(c);
    c->held_cpu_us = box_processes_cpu_us(c);
}

void box_processes_release(struct box_processes *c) {
    if (!c->held)
        return;
    c->held = false;
    if (!c->confirmed)
        c->unconfirmed += !is_still(c);
    if (c->held_cpu_us >= 0)
        c->frozen_us += box_processes_cpu_us(c) - c->held_cpu_us;
    if (is_grouped(c))
        cgroup_thaw(&c->group);
    else
        process_tree_signal(c->tree, SIGCONT);
}

bool box_processes_must_look(const struct box_processes *c) {
    return (c->box || c->by_use) && c->memory > 0 && !is_grouped(c);
}

bool box_processes_look(struct box_processes *c) {
    const int64_t bytes = process_tree_memory(c->tree);
    if (bytes > c->peak)
        c->peak = bytes;
    c->over |= bytes > c->memory;
    return c->over;
}

void box_processes_usage(const struct box_processes *c, struct usage *usage) {
    struct cgroup_memory memory = {.peak = box_processes_must_look(c) ? c->peak : -1,
                                   .over = c->over};
    if (is_grouped(c))
        cgroup_memory(&c->group, &memory);
    usage->peak = memory.peak;
    usage->over = memory.over;
    usage->frozen_us = c->holds > 0 ? c->frozen_us : -1;
    usage->holds = c->holds;
    usage->unconfirmed = c->unconfirmed;
}

void box_processes_done(struct box_processes *c) {
    if (c->group.at)
        cgroup_close(&c->group);
}
