// SPDX-License-Identifier: MIT
#include "link/custody.h"

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

bool custody_init(struct custody *c, const struct program *program, struct family *family) {
    *c = (struct custody){.box = program->box,
                          .family = family,
                          .memory = program->memory,
                          .by_use = program->by_use};
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
static bool is_grouped(const struct custody *c) { return c->group.at && !c->group.light; }

const struct cgroup *custody_group(const struct custody *c) {
    return c->group.at ? &c->group : NULL;
}

void custody_favour(struct custody *c, bool favoured) {
    if (c->core == BOX_CORE_SHARED || favoured == !c->resting)
        return;
    c->resting = !favoured;
    switch (c->core) {
    case BOX_CORE_WEIGHTS:
        cgroup_favour(&c->group, favoured);
        break;
    case BOX_CORE_IDLE:
        core_set_idle(c->family, !favoured);
        break;
    case BOX_CORE_APART:
        core_set_apart(c->family, !favoured);
        break;
    case BOX_CORE_SHARED:
        break;
    }
}

int64_t custody_cpu_us(struct custody *c) {
    return is_grouped(c) ? cgroup_cpu_us(&c->group) : family_cpu_us(c->family);
}

// A group counts all that was ever inside.
void custody_run_times(struct custody *c, struct run_times *times) {
    times->cpu_us = custody_cpu_us(c);
    times->hidden = !is_grouped(c) && family_hides(c->family);
    times->starved_us = is_grouped(c) ? cgroup_starved_us(&c->group) : -1;
    times->count = family_threads(c->family, times->thread, RUN_THREADS_MAX);
}

// They may not fork, so those that are there are all.
static bool stop_all(struct custody *c) {
    family_signal(c->family, SIGSTOP);
    for (int i = 0; i < CONFIRM_TRIES; i++) {
        if (family_is_stopped(c->family))
            return true;
        sched_yield(); // it has to run once more to stop
    }
    return false;
}

static bool is_still(struct custody *c) {
    return is_grouped(c) ? cgroup_is_frozen(&c->group) : family_is_stopped(c->family);
}

// The other's turn has not begun, so nobody's time is lost.
static bool wait_still(struct custody *c) {
    for (int i = 0; i < WAITS; i++) {
        usleep(WAIT_US);
        if (is_still(c))
            return true;
    }
    return false;
}

void custody_hold(struct custody *c) {
    if (c->held)
        return;
    c->held = true;
    c->holds++;
    c->confirmed = (is_grouped(c) ? cgroup_freeze(&c->group) : stop_all(c)) || wait_still(c);
    c->held_cpu_us = -1;
}

void custody_settle(struct custody *c) {
    if (!c->held || c->held_cpu_us >= 0)
        return;
    c->confirmed = c->confirmed || is_still(c);
    c->held_cpu_us = custody_cpu_us(c);
}

void custody_release(struct custody *c) {
    if (!c->held)
        return;
    c->held = false;
    if (!c->confirmed)
        c->unconfirmed += !is_still(c);
    if (c->held_cpu_us >= 0)
        c->frozen_us += custody_cpu_us(c) - c->held_cpu_us;
    if (is_grouped(c))
        cgroup_thaw(&c->group);
    else
        family_signal(c->family, SIGCONT);
}

bool custody_must_look(const struct custody *c) {
    return (c->box || c->by_use) && c->memory > 0 && !is_grouped(c);
}

bool custody_look(struct custody *c) {
    const int64_t bytes = family_memory(c->family);
    if (bytes > c->peak)
        c->peak = bytes;
    c->over |= bytes > c->memory;
    return c->over;
}

void custody_usage(const struct custody *c, struct usage *usage) {
    struct cgroup_memory memory = {.peak = custody_must_look(c) ? c->peak : -1, .over = c->over};
    if (is_grouped(c))
        cgroup_memory(&c->group, &memory);
    usage->peak = memory.peak;
    usage->over = memory.over;
    usage->frozen_us = c->holds > 0 ? c->frozen_us : -1;
    usage->holds = c->holds;
    usage->unconfirmed = c->unconfirmed;
}

void custody_done(struct custody *c) {
    if (c->group.at)
        cgroup_close(&c->group);
}
