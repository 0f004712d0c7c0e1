// SPDX-License-Identifier: MIT
// The kernel keeps for every process how long it has waited for a core (the second number of
// /proc/PID/schedstat), but adds a wait only when it is over. A process that is runnable (state R)
// and has not run is still waiting. A process may make itself wait, by threads that compete; so
// only the time in which it did not run at all counts.
#include "referee/starved.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Reads a file of /proc about a process; false if there is none.
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

// A process with children may be kept from running by them, which is its own doing.
static bool has_children(int pid) {
    char name[48], text[16];
    snprintf(name, sizeof name, "task/%d/children", pid);
    return read_proc(pid, name, text, sizeof text);
}

void starved_begin(struct starved *s, int pid, int64_t cpu_us, int64_t due_us, int64_t now_us) {
    *s = (struct starved){.begun_us = now_us,
                          .cpu_us = cpu_us,
                          .wait_us = read_wait_us(pid),
                          .credit_us = now_us > due_us ? now_us - due_us : 0};
}

int64_t starved_us(const struct starved *s, int pid, int64_t cpu_us, int64_t now_us) {
    const int64_t wait_us = read_wait_us(pid);
    if (s->begun_us == 0 || s->wait_us < 0 || wait_us < 0 || s->cpu_us < 0 || cpu_us < 0 ||
        has_children(pid))
        return s->credit_us;
    const int64_t waited = wait_us - s->wait_us;
    const int64_t idle = now_us - s->begun_us - (cpu_us - s->cpu_us);
    const int64_t starved = is_runnable(pid) || waited > idle ? idle : waited;
    return s->credit_us + (starved > 0 ? starved : 0);
}
