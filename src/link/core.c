// SPDX-License-Identifier: MIT
// What a thread starts is as it is itself, so when a look has found none that had to be changed,
// there is none: those that were started meanwhile have come of changed ones. But one that was
// just being forked when its parent was changed shows up later, as that was: the next turn finds
// it.
#include "link/core.h"

#include "base/path.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOKS = 20 }; // at most; a tree that runs away from us is not worth more

typedef bool change_fn(int thread, const cpu_set_t *cores);

// Whether one had to be changed, and could be.
static bool change_process(int pid, change_fn *change, const cpu_set_t *cores) {
    char path[40];
    bool changed = false;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    for (const struct dirent *entry; threads && (entry = readdir(threads));)
        if (entry->d_name[0] != '.')
            changed |= change(atoi(entry->d_name), cores);
    if (threads)
        closedir(threads);
    return changed;
}

static void change_all(struct process_tree *tree, change_fn *change, const cpu_set_t *cores) {
    bool changed = true;
    for (int i = 0; i < LOOKS && changed; i++) {
        changed = false;
        process_tree_look(tree);
        for (int k = 0; k < tree->count; k++)
            changed |= change_process(tree->pid[k], change, cores);
    }
}

static bool set_policy(int thread, int from, int to) {
    return (sched_getscheduler(thread) & ~SCHED_RESET_ON_FORK) == from &&
           sched_setscheduler(thread, to, &(struct sched_param){.sched_priority = 0}) == 0;
}

static bool make_idle(int thread, const cpu_set_t *cores) {
    (void)cores;
    const bool was_batch = set_policy(thread, SCHED_BATCH, SCHED_IDLE);
    return set_policy(thread, SCHED_OTHER, SCHED_IDLE) || was_batch;
}

static bool make_normal(int thread, const cpu_set_t *cores) {
    (void)cores;
    return set_policy(thread, SCHED_IDLE, SCHED_OTHER);
}

static bool move(int thread, const cpu_set_t *cores) {
    cpu_set_t now;
    return sched_getaffinity(thread, sizeof now, &now) == 0 && !CPU_EQUAL(&now, cores) &&
           sched_setaffinity(thread, sizeof *cores, cores) == 0;
}

// Many kernels share a core out by sessions first, whatever the threads in them are: then theirs
// has to step back too, unless it is ours. A session that is begun after that is not seen.
static void set_session(int pid, const char *nice) {
    char path[40];
    if (getsid(pid) == getsid(0))
        return;
    snprintf(path, sizeof path, "/proc/%d/autogroup", pid);
    path_write_text(path, nice); // where there are none, nothing is to be done
}

void core_set_idle(struct process_tree *tree, bool idle) {
    change_all(tree, idle ? make_idle : make_normal, NULL);
    for (int i = 0; i < tree->count; i++)
        set_session(tree->pid[i], idle ? "19" : "0");
}

void core_set_apart(struct process_tree *tree, bool apart) {
    cpu_set_t all, last;
    size_t core = CPU_SETSIZE - 1;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    while (core > 0 && !CPU_ISSET(core, &all))
        core--;
    CPU_ZERO(&last);
    CPU_SET(core, &last);
    change_all(tree, move, apart ? &last : &all);
}

int core_count(void) {
    cpu_set_t all;
    return sched_getaffinity(0, sizeof all, &all) == 0 ? CPU_COUNT(&all) : 1;
}
