// SPDX-License-Identifier: MIT
// Most players are one process, and its CPU clock is cheap to read. Others are a shell that waits
// for the player proper, or have helpers, or start one for every move. To look who is there costs
// some 20 µs a process, so it is done every LOOK_US at most: players that answer faster than that
// pay nothing for it, and the others are seen in every turn.
//
// What the living have used is on their clocks, what the dead have used is in the account of
// whoever waited for them (in whole ticks of the kernel, 10 ms). A process that dies between two
// readings is on neither for a moment, hence the greatest sum that was seen counts.
#include "link/family.h"

#include "base/clock.h"
#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_US = 10000,
    KIN_MAX = 1000,
    LIST_BYTES = 4096,
    STAT_BYTES = 1024,
};

struct list {
    int pid[KIN_MAX];
    int count;
};

static bool has(const struct list *list, int pid) {
    for (int i = 0; i < list->count; i++)
        if (list->pid[i] == pid)
            return true;
    return false;
}

// Adds the children that one thread has started.
static void add_children(struct list *list, int folder, const char *thread) {
    char path[64], text[LIST_BYTES + 1], *at = text, *end;
    snprintf(path, sizeof path, "%.20s/children", thread);
    const int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? read(fd, text, LIST_BYTES) : 0;
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    for (long pid; list->count < KIN_MAX && (pid = strtol(at, &end, 10)) > 0 && *end; at = end)
        if (!has(list, (int)pid))
            list->pid[list->count++] = (int)pid;
}

static void add_children_of(struct list *list, int pid) {
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    if (!threads)
        return;
    for (const struct dirent *entry; (entry = readdir(threads));)
        if (entry->d_name[0] != '.')
            add_children(list, dirfd(threads), entry->d_name);
    closedir(threads);
}

// What stands in the stat of a process or thread behind its name, which is in brackets and may hold
// anything; "" if there is none.
static const char *read_stat_at(int folder, const char *path, char text[static STAT_BYTES]) {
    const int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? read(fd, text, STAT_BYTES - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    const char *end = strrchr(text, ')');
    return end ? end + 1 : "";
}

static const char *read_stat(int pid, char text[static STAT_BYTES]) {
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    return read_stat_at(AT_FDCWD, path, text);
}

// What those processes have used that this one has waited for: the fields 16 and 17.
static int64_t waited_for_us(int pid) {
    char text[STAT_BYTES];
    long long user = 0, system = 0;
    if (sscanf(read_stat(pid, text),
               "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld %lld", &user,
               &system) != 2)
        return 0;
    return (user + system) * (1000000 / sysconf(_SC_CLK_TCK));
}

static void look(struct family *family) {
    struct list list;
    list.count = 0;
    add_children_of(&list, family->root);
    for (int i = 0; i < list.count; i++) {
        add_children_of(&list, list.pid[i]);
        if (i > 0 && i == list.count - 1) // whose parent has died meanwhile is the root's now
            add_children_of(&list, family->root);
    }
    family->looked_us = clock_now_us();
    if (list.count <= 0)
        return; // the root is gone, or /proc is not there: what was known stays
    const size_t size = (size_t)list.count * sizeof *family->pid;
    family->pid = mem_resize(family->pid, size);
    memcpy(family->pid, list.pid, size);
    family->count = list.count;
    family->ended_us = waited_for_us(family->root);
    for (int i = 0; i < list.count; i++)
        family->ended_us += waited_for_us(list.pid[i]);
}

static void look_now_and_then(struct family *family) {
    if (clock_now_us() - family->looked_us >= LOOK_US)
        look(family);
}

static int64_t cpu_of(int pid) {
    clockid_t id;
    struct timespec used;
    if (clock_getcpuclockid(pid, &id) != 0 || clock_gettime(id, &used) < 0)
        return 0;
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

void family_init(struct family *family, int root, int first) {
    *family = (struct family){.root = root, .pid = mem_new(1, sizeof *family->pid), .count = 1};
    family->pid[0] = first;
}

int64_t family_cpu_us(struct family *family) {
    look_now_and_then(family);
    int64_t sum = family->ended_us;
    for (int i = 0; i < family->count; i++)
        sum += cpu_of(family->pid[i]);
    if (sum > family->used_us)
        family->used_us = sum;
    return family->used_us;
}

// Where there are several, none of them may be a stranger who has got the number meanwhile.
void family_signal(struct family *family, int number) {
    if (family->count > 1)
        look(family);
    else
        look_now_and_then(family);
    for (int i = 0; i < family->count; i++)
        kill(family->pid[i], number);
}

static bool is_still(const char *stat) { return !*stat || strchr("TtZX", stat[1]); }

static bool threads_are_still(int pid) {
    char path[40], text[STAT_BYTES];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    bool still = true;
    for (const struct dirent *entry; still && threads && (entry = readdir(threads));) {
        snprintf(path, sizeof path, "%.20s/stat", entry->d_name);
        still = entry->d_name[0] == '.' || is_still(read_stat_at(dirfd(threads), path, text));
    }
    if (threads)
        closedir(threads);
    return still;
}

// The state of a process is that of its first thread; the field 20 says how many there are.
static bool process_is_still(int pid) {
    char text[STAT_BYTES];
    const char *stat = read_stat(pid, text);
    int threads = 1;
    const bool still = is_still(stat);
    if (still)
        sscanf(stat, "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d",
               &threads);
    return still && (threads <= 1 || threads_are_still(pid));
}

bool family_is_stopped(struct family *family) {
    look_now_and_then(family);
    for (int i = 0; i < family->count; i++)
        if (!process_is_still(family->pid[i]))
            return false;
    return true;
}

// Pages of its own, and those that it may share with others.
static void memory_of(int pid, int64_t *own, int64_t *shared) {
    char path[40];
    long long resident = 0, common = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%*s %lld %lld", &resident, &common) != 2)
        resident = common = 0;
    if (file)
        fclose(file);
    *own = resident - common;
    *shared = common;
}

int64_t family_memory(struct family *family) {
    int64_t sum = 0, most_shared = 0, own, shared;
    look_now_and_then(family);
    for (int i = 0; i < family->count; i++) {
        memory_of(family->pid[i], &own, &shared);
        sum += own;
        if (shared > most_shared)
            most_shared = shared;
    }
    return (sum + most_shared) * sysconf(_SC_PAGESIZE);
}

int family_nth(struct family *family, int n) {
    if (n >= family->count)
        look_now_and_then(family);
    return n < family->count ? family->pid[n] : -1;
}

void family_done(struct family *family) { free(family->pid); }
