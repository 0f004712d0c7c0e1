// SPDX-License-Identifier: MIT
// Control groups: what a player's processes use is counted and bounded together, and they are
// frozen together. Version 2 where it has the controllers, else version 1.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    CGROUP_PATH_MAX = 400,
    CGROUP_NAME_MAX = 48,
};

enum cgroup_part {
    CGROUP_MEMORY,
    CGROUP_PIDS,
    CGROUP_FREEZER,
    CGROUP_CPU,  // counts CPU time
    CGROUP_CORE, // shares it out
    CGROUP_PARTS,
};

// Where groups can be made on this machine. With version 2 all parts have the same folder.
struct cgroups {
    bool usable;  // all parts but the last
    bool cores;   // the last
    bool unified; // version 2
    char folder[CGROUP_PARTS][CGROUP_PATH_MAX];
    char why[CGROUP_PATH_MAX]; // if it is not usable
    char ice[CGROUP_NAME_MAX]; // the empty group that is always frozen; "": none
};

// A group for one player.
struct cgroup {
    const struct cgroups *at;
    bool light; // it rules the core and nothing else
    char name[CGROUP_NAME_MAX];
    int enter[CGROUP_PARTS]; // where a process enters it; with version 2 the first is its folder
    int freeze, frozen, cpu;
    int pressure; // of its cores, with version 2; -1: the kernel does not count it
    int core;     // where it is told whether it has the core; -1: it cannot be
    bool idle;    // by cpu.idle
};

struct cgroup_memory {
    int64_t peak; // bytes; -1: not known
    bool over;    // more was wanted, and a process was killed for it
};

// Looks where groups can be made, by making one, and removes those that dead programs have left.
void cgroups_find(struct cgroups *at);
void cgroups_done(struct cgroups *at);
// The least bound on memory of the groups that we are in, bytes; -1: none.
int64_t cgroups_memory_bound(void);
// Whether a process that starts in a group enters its part of the core by itself; of a light group
// or not.
bool cgroups_enter_core(const struct cgroups *at, bool light);

// Makes a group with these limits; 0 bytes: none. False with errno set.
bool cgroup_make(struct cgroup *group, const struct cgroups *at, int64_t memory, int processes);
// Makes one without limits, which only rules the core. False with errno set.
bool cgroup_make_light(struct cgroup *group, const struct cgroups *at);
// Starts a process inside, as fork() does; it is inside when cgroup_enter has returned there. With
// version 1 it enters the freezer and the part of the core last, by writing 0 to
// enter[CGROUP_FREEZER] and enter[CGROUP_CORE]: what it has started by then is not frozen, and in
// as much of a hurry as it was.
int cgroup_fork(const struct cgroup *group);
bool cgroup_enter(const struct cgroup *group);
// Freezes all of it; true if that is confirmed already.
bool cgroup_freeze(const struct cgroup *group);
bool cgroup_is_frozen(const struct cgroup *group);
void cgroup_thaw(const struct cgroup *group);
// Thaws the group that a process is in, if it is one of ours, whoever made it.
void cgroup_thaw_process(int pid);
// Whether it has the core before all other groups that were told the opposite.
void cgroup_favour(const struct cgroup *group, bool favoured);
int64_t cgroup_cpu_us(const struct cgroup *group);
// So long something in it wanted a core and nothing in it had one; -1: not known.
int64_t cgroup_starved_us(const struct cgroup *group);
void cgroup_memory(const struct cgroup *group, struct cgroup_memory *memory);
// Closes our descriptors; the group stays.
void cgroup_close(struct cgroup *group);
// These two work also where the descriptors are closed: kills all that is inside, frozen or not;
// and removes the group, which must be empty but for the dying.
void cgroup_end(const struct cgroup *group);
void cgroup_remove(const struct cgroup *group);
