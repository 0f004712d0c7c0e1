// SPDX-License-Identifier: MIT
#include "link/custody.h"

#include <sched.h>
#include <signal.h>

enum { CONFIRM_TRIES = 20, OWN_PROCESSES = 4 }; // bubblewrap's two, and room for the shell

bool custody_init(struct custody *c, const struct program *program, struct family *family) {
    *c = (struct custody){.box = program->box, .family = family, .memory = program->memory};
    if (!c->box || c->box->level < BOX_GROUPS)
        return true;
    return cgroup_make(&c->group, &c->box->groups, c->memory, BOX_PROCESSES + OWN_PROCESSES);
}

static bool is_grouped(const struct custody *c) { return c->group.at != NULL; }

const struct cgroup *custody_group(const struct custody *c) {
    return is_grouped(c) ? &c->group : NULL;
}

int64_t custody_cpu_us(struct custody *c) {
    return is_grouped(c) ? cgroup_cpu_us(&c->group) : family_cpu_us(c->family);
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

void custody_hold(struct custody *c) {
    if (c->held)
        return;
    c->held = true;
    c->holds++;
    c->confirmed = is_grouped(c) ? cgroup_freeze(&c->group) : stop_all(c);
    c->held_cpu_us = -1;
}

static bool is_still(struct custody *c) {
    return is_grouped(c) ? cgroup_is_frozen(&c->group) : family_is_stopped(c->family);
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
    return c->box && c->memory > 0 && !is_grouped(c);
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
    if (is_grouped(c))
        cgroup_close(&c->group);
}
