// SPDX-License-Identifier: MIT
// The kernel keeps for every process how long it has waited for a core (the second number of
// /proc/PID/schedstat), but adds a wait only when it is over. A process that is runnable (state R)
// and has not run is still waiting.
//
// A process could make itself wait, so that its own doing does not count:
// - by threads that compete: only the time in which none of them ran counts;
// - by children: one that has some, or has had some since half time, gets nothing;
// - by children that have left it. Those come to us, the reaper of all that players leave behind
//   (loop.c), and nobody can tell whose they were once they have changed their process group too.
//   What they used since half time is taken off, unless they are in the opponent's group.
#include "referee/starved.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { STRAYS_MAX = 256, DEPTH_MAX = 16 }; // whoever has more, has more than we want to look at

// Reads a file of /proc about a process; false if there is none, or it is empty.
static bool read_proc(int pid, const char *name, char *text, size_t size) {
    char path[80];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    FILE *file = pid > 0 ? fopen(path, "r") : NULL;
    if (!file)
        return false;
    const size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return length > 0;
}

static int64_t read_wait_us(int pid) {
    char text[128];
    long long ran, waited;
    if (!read_proc(pid, "schedstat", text, sizeof text) ||
        sscanf(text, "%lld %lld", &ran, &waited) != 2)
        return -1;
    return waited / 1000;
}

// Its state, and the CPU time of children that it has waited for. They stand behind the name, which
// is in brackets and may hold anything.
static bool read_stat(int pid, char *state, int64_t *reaped_us) {
    char text[512];
    long long user, system;
    const char *end = read_proc(pid, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    if (!end || sscanf(end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lld %lld",
                       state, &user, &system) != 3)
        return false;
    *reaped_us = (user + system) * 1000000 / sysconf(_SC_CLK_TCK);
    return true;
}

// One that ignores the ends of its children leaves no trace of them.
static bool hides_children(int pid) {
    char text[4096];
    const char *line = read_proc(pid, "status", text, sizeof text) ? strstr(text, "SigIgn:") : NULL;
    return !line || (strtoull(line + strlen("SigIgn:"), NULL, 16) >> (SIGCHLD - 1) & 1);
}

// Calls `visit` for the children of all threads of a process until it returns false.
static bool each_child(int pid, bool (*visit)(int child, void *context), void *context) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    bool more = true;
    for (const struct dirent *task; more && tasks && (task = readdir(tasks));) {
        snprintf(path, sizeof path, "/proc/%d/task/%.16s/children", pid, task->d_name);
        FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");
        int child;
        while (more && file && fscanf(file, "%d", &child) == 1)
            more = visit(child, context);
        if (file)
            fclose(file);
    }
    if (tasks)
        closedir(tasks);
    return more;
}

static bool refuse(int child, void *context) {
    (void)child, (void)context;
    return false;
}

static bool has_children(int pid) { return !each_child(pid, refuse, NULL); }

// CPU time of processes and all that descends from them.
struct sum {
    const struct runner *runner;
    int64_t us;
    int count, depth;
};

static int64_t cpu_us_of(int pid) {
    clockid_t id;
    struct timespec used;
    if (clock_getcpuclockid(pid, &id) != 0 || clock_gettime(id, &used) != 0)
        return 0;
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static bool add_tree(int pid, void *context) {
    struct sum *sum = context;
    if (++sum->count > STRAYS_MAX || sum->depth >= DEPTH_MAX)
        return false;
    sum->us += cpu_us_of(pid);
    sum->depth++;
    const bool more = each_child(pid, add_tree, sum);
    sum->depth--;
    return more;
}

static bool add_stray(int pid, void *context) {
    const struct sum *sum = context;
    const struct runner *r = sum->runner;
    const bool known =
        pid == r->pid || pid == r->rival || (r->rival > 0 && getpgid(pid) == r->rival);
    return known || add_tree(pid, context);
}

// CPU time of strays that may be the player's, also of those that we have reaped; -1 if there are
// too many.
static int64_t read_strays_us(const struct runner *r) {
    struct sum sum = {.runner = r};
    struct rusage reaped;
    if (!each_child(getpid(), add_stray, &sum) || getrusage(RUSAGE_CHILDREN, &reaped) != 0)
        return -1;
    const struct timeval *user = &reaped.ru_utime, *system = &reaped.ru_stime;
    return sum.us + (int64_t)(user->tv_sec + system->tv_sec) * 1000000 + user->tv_usec +
           system->tv_usec;
}

void starved_init(struct starved *s, int64_t cpu_us, int64_t now_us) {
    *s = (struct starved){.asked_us = now_us, .asked_cpu_us = cpu_us};
}

void starved_begin(struct starved *s, const struct runner *r, int64_t due_us, int64_t now_us) {
    char state;
    s->begun_us = now_us;
    s->cpu_us = r->cpu_us;
    s->wait_us = read_wait_us(r->pid);
    s->strays_us = read_strays_us(r);
    if (!read_stat(r->pid, &state, &s->reaped_us))
        s->wait_us = -1;
    // If it has been running all the time, it was the one that kept us from waking up.
    const int64_t idle = now_us - s->asked_us - (r->cpu_us - s->asked_cpu_us);
    const int64_t late = now_us - due_us;
    s->credit_us = late < idle ? late : idle;
}

int64_t starved_us(const struct starved *s, const struct runner *r, int64_t now_us) {
    char state;
    int64_t reaped_us;
    const int64_t wait_us = read_wait_us(r->pid), strays_us = read_strays_us(r);
    if (s->begun_us == 0 || s->wait_us < 0 || wait_us < 0 || s->asked_cpu_us < 0 ||
        r->cpu_us < s->cpu_us || s->strays_us < 0 || strays_us < 0 ||
        !read_stat(r->pid, &state, &reaped_us) || reaped_us > s->reaped_us ||
        hides_children(r->pid) || has_children(r->pid))
        return 0;
    const int64_t waited = wait_us - s->wait_us;
    const int64_t idle = now_us - s->begun_us - (r->cpu_us - s->cpu_us);
    int64_t starved = state == 'R' || waited > idle ? idle : waited;
    starved += s->credit_us > 0 ? s->credit_us : 0;
    starved -= strays_us > s->strays_us ? strays_us - s->strays_us : 0;
    return starved > 0 ? starved : 0;
}
