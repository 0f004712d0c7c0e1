// SPDX-License-Identifier: MIT
// The kernel keeps for every process how long it has waited for a core (the second number of
// /proc/PID/schedstat), but adds a wait only when it is over. A process that is runnable (state R)
// and has not run is still waiting.
//
// A process could make itself wait, by threads, children or daemons that compete with it. So only
// the time counts in which none of the player's processes ran. Their CPU time is known to the link,
// also that of daemons (link/keeper.h), and of those that have ended, unless the player does not
// want to know of their end: who ignores that gets nothing.
#include "referee/starved.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// The state stands behind the name, which is in brackets and may hold anything.
static bool is_runnable(int pid) {
    char text[512];
    const char *end = read_proc(pid, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    return end && end[1] == ' ' && end[2] == 'R';
}

// One that ignores the ends of its children leaves no trace of them.
static bool hides_children(int pid) {
    char text[4096];
    const char *line = read_proc(pid, "status", text, sizeof text) ? strstr(text, "SigIgn:") : NULL;
    return !line || (strtoull(line + strlen("SigIgn:"), NULL, 16) >> (SIGCHLD - 1) & 1);
}

// How long no process of the player's ran.
static int64_t idle_us(int64_t since_us, int64_t since_cpu_us, int64_t cpu_us, int64_t now_us) {
    const int64_t idle = now_us - since_us - (cpu_us - since_cpu_us);
    return idle > 0 ? idle : 0;
}

void starved_init(struct starved *s, int64_t cpu_us, int64_t now_us) {
    *s = (struct starved){.asked_us = now_us, .asked_cpu_us = cpu_us};
}

void starved_begin(struct starved *s, const struct runner *r, int64_t due_us, int64_t now_us) {
    s->begun_us = now_us;
    s->cpu_us = r->cpu_us;
    s->wait_us = read_wait_us(r->pid);
    // If it has been running all the time, it was the one that kept us from waking up.
    const int64_t idle = idle_us(s->asked_us, s->asked_cpu_us, r->cpu_us, now_us);
    const int64_t late = now_us > due_us ? now_us - due_us : 0;
    s->credit_us = late < idle ? late : idle;
}

int64_t starved_us(const struct starved *s, const struct runner *r, int64_t now_us) {
    const int64_t wait_us = read_wait_us(r->pid);
    const bool known = s->begun_us > 0 && s->wait_us >= 0 && wait_us >= 0 && s->asked_cpu_us >= 0 &&
                       s->cpu_us >= 0 && r->cpu_us >= 0;
    if (!known || hides_children(r->pid))
        return 0;
    const int64_t waited = wait_us - s->wait_us;
    const int64_t idle = idle_us(s->begun_us, s->cpu_us, r->cpu_us, now_us);
    return s->credit_us + (is_runnable(r->pid) || waited > idle ? idle : waited);
}
