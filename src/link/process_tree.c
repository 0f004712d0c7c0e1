// SPDX-License-Identifier: MIT
// Most players are one process, and its CPU clock is cheap to read. Others are a shell that waits
// for the player proper, or have helpers, or start one for every move. To look who is there costs
// some 20 µs a process, so it is done every LOOK_US at most: players that answer faster than that
// pay nothing for it, and the others are seen in every turn.
//
// What the living have used is on their clocks, what the dead have used is in the account of
// whoever waited for them (in whole ticks of the kernel, 10 ms). A process that dies between two
// readings is on neither for a moment, hence the greatest sum that was seen counts.
#include "link/process_tree.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "link/link.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_US = 10000,
    KIN_MAX = 4096,
    LIST_BYTES = 1 << 16,
    STAT_BYTES = 1024,
    STATUS_BYTES = 4096,
};

struct process_list {
    int pid[KIN_MAX];
    int count;
};

static bool has(const struct process_list *list, int pid) {
    for (int i = 0; i < list->count; i++)
        if (list->pid[i] == pid)
            return true;
    return false;
}

// Adds the children that one thread has started.
static void add_children(struct process_list *list, int folder, const char *thread) {
    char path[64], text[LIST_BYTES + 1], *at = text, *end;
    snprintf(path, sizeof path, "%.20s/children", thread);
    path_read_text(folder, path, text, sizeof text);
    for (long pid; list->count < KIN_MAX && (pid = strtol(at, &end, 10)) > 0 && *end; at = end)
        if (!has(list, (int)pid))
            list->pid[list->count++] = (int)pid;
}

static void add_children_of(struct process_list *list, int pid) {
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
    path_read_text(folder, path, text, STAT_BYTES);
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

static void look(struct process_tree *tree) {
    struct process_list list;
    list.count = 0;
    add_children_of(&list, tree->root);
    for (int i = 0; i < list.count; i++) {
        add_children_of(&list, list.pid[i]);
        if (i > 0 && i == list.count - 1) // whose parent has died meanwhile is the root's now
            add_children_of(&list, tree->root);
    }
    tree->looked_us = clock_now_us();
    if (list.count <= 0)
        return; // the root is gone, or /proc is not there: what was known stays
    const size_t size = (size_t)list.count * sizeof *tree->pid;
    tree->crowded = list.count == KIN_MAX;
    tree->pid = mem_resize(tree->pid, size);
    memcpy(tree->pid, list.pid, size);
    tree->count = list.count;
    tree->ended_us = waited_for_us(tree->root);
    for (int i = 0; i < list.count; i++)
        tree->ended_us += waited_for_us(list.pid[i]);
}

void process_tree_look(struct process_tree *tree) { look(tree); }

static void look_now_and_then(struct process_tree *tree) {
    if (clock_now_us() - tree->looked_us >= LOOK_US)
        look(tree);
}

static int64_t cpu_of(int pid) {
    clockid_t id;
    struct timespec used;
    if (clock_getcpuclockid(pid, &id) != 0 || clock_gettime(id, &used) < 0)
        return 0;
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

void process_tree_init(struct process_tree *tree, int root, int first) {
    assert(root > 0 && first > 0);
    *tree = (struct process_tree){.root = root, .pid = mem_new(1, sizeof *tree->pid), .count = 1};
    tree->pid[0] = first;
}

static bool is_ours_named(int processes, const char *process, const char *name) {
    char path[40], text[STAT_BYTES];
    struct stat status;
    if (fstatat(processes, process, &status, 0) != 0 || status.st_uid != geteuid())
        return false;
    snprintf(path, sizeof path, "%.20s/comm", process);
    path_read_text(processes, path, text, sizeof text);
    return strncmp(text, name, strlen(name)) == 0;
}

void process_tree_find_servers(struct process_tree *tree, const char *name) {
    enum { MOST = sizeof tree->server / sizeof *tree->server };
    DIR *processes = opendir("/proc");
    tree->servers = 0;
    for (const struct dirent *entry; processes && (entry = readdir(processes));)
        if (tree->servers < MOST && is_ours_named(dirfd(processes), entry->d_name, name))
            tree->server[tree->servers++] = atoi(entry->d_name);
    if (processes)
        closedir(processes);
}

int64_t process_tree_cpu_us(struct process_tree *tree) {
    look_now_and_then(tree);
    int64_t sum = tree->ended_us;
    for (int i = 0; i < tree->count; i++)
        sum += cpu_of(tree->pid[i]);
    if (sum > tree->used_us)
        tree->used_us = sum;
    return tree->used_us;
}

// Where there are several, none of them may be a stranger who has got the number meanwhile.
void process_tree_signal(struct process_tree *tree, int number) {
    if (tree->count > 1)
        look(tree);
    else
        look_now_and_then(tree);
    for (int i = 0; i < tree->count; i++)
        kill(tree->pid[i], number);
}

// Whether it has made itself less important than we are, to wait for others: the fields 19 and 41.
static bool is_humble(const char *stat) {
    int nice = 0, policy = 0;
    sscanf(stat,
           "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d %*s %*s %*s %*s %*s"
           " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d",
           &nice, &policy);
    return policy == SCHED_IDLE || nice > getpriority(PRIO_PROCESS, 0);
}

// A thread, read in its process's folder of threads. Its state is read first: one that has run
// since then is seen by its time.
static bool read_thread(int folder, const char *name, struct thread_time *thread) {
    char path[40], text[STAT_BYTES];
    long long ran, waited;
    snprintf(path, sizeof path, "%.20s/stat", name);
    const char *stat = read_stat_at(folder, path, text);
    const bool runnable = *stat && stat[1] == 'R';
    if (is_humble(stat))
        return false;
    snprintf(path, sizeof path, "%.20s/schedstat", name);
    path_read_text(folder, path, text, sizeof text);
    *thread = (struct thread_time){.id = atoi(name), .runnable = runnable};
    if (sscanf(text, "%lld %lld", &ran, &waited) != 2)
        return false;
    thread->ran_ns = ran;
    thread->waited_ns = waited;
    return true;
}

// Many kernels share a core out by sessions first: a process that has put its own behind ours waits
// because it wants to.
static bool is_in_humble_session(int pid) {
    char path[40], text[STAT_BYTES];
    int nice = 0;
    if (getsid(pid) == getsid(0))
        return false;
    snprintf(path, sizeof path, "/proc/%d/autogroup", pid);
    path_read_text(AT_FDCWD, path, text, sizeof text);
    sscanf(text, "%*s nice %d", &nice);
    return nice > 0;
}

// Where there is no room left, one that wants to run takes the place of one that does not.
static int put_thread(const struct thread_time *thread, struct thread_time *list, int count,
                      int most) {
    if (count < most) {
        list[count] = *thread;
        return count + 1;
    }
    for (int i = 0; thread->runnable && i < most; i++) {
        if (!list[i].runnable) {
            list[i] = *thread;
            break;
        }
    }
    return count;
}

// Those of one process, up to `most` in all.
static int add_threads(int pid, struct thread_time *list, int count, int most) {
    char path[40];
    struct thread_time thread;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = is_in_humble_session(pid) ? NULL : opendir(path);
    for (const struct dirent *entry; threads && (entry = readdir(threads));)
        if (entry->d_name[0] != '.' && read_thread(dirfd(threads), entry->d_name, &thread))
            count = put_thread(&thread, list, count, most);
    if (threads)
        closedir(threads);
    return count;
}

// The root is one of them here: who waits for it waits for a core as it does.
int process_tree_threads(struct process_tree *tree, struct thread_time *list, int most) {
    look_now_and_then(tree);
    int count = add_threads(tree->root, list, 0, most);
    for (int i = 0; i < tree->servers; i++)
        count = add_threads(tree->server[i], list, count, most);
    for (int i = 0; i < tree->count; i++)
        count = add_threads(tree->pid[i], list, count, most);
    return count;
}

bool process_tree_hides(struct process_tree *tree) {
    look_now_and_then(tree);
    bool hides = tree->crowded;
    for (int i = 0; i < tree->count && !hides; i++) {
        char path[40], text[STATUS_BYTES];
        snprintf(path, sizeof path, "/proc/%d/status", tree->pid[i]);
        path_read_text(AT_FDCWD, path, text, sizeof text);
        const char *line = strstr(text, "SigIgn:");
        hides = line && (strtoull(line + strlen("SigIgn:"), NULL, 16) >> (SIGCHLD - 1) & 1);
    }
    return hides;
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

bool process_tree_is_stopped(struct process_tree *tree) {
    look_now_and_then(tree);
    for (int i = 0; i < tree->count; i++)
        if (!process_is_still(tree->pid[i]))
            return false;
    return true;
}

// Pages of its own, and those that it may share with others.
static void memory_of(int pid, int64_t *own, int64_t *shared) {
    char path[40], text[STAT_BYTES];
    long long resident = 0, common = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    path_read_text(AT_FDCWD, path, text, sizeof text);
    if (sscanf(text, "%*s %lld %lld", &resident, &common) != 2)
        resident = common = 0;
    *own = resident - common;
    *shared = common;
}

int64_t process_tree_memory(struct process_tree *tree) {
    int64_t sum = 0, most_shared = 0, own, shared;
    look_now_and_then(tree);
    for (int i = 0; i < tree->count; i++) {
        memory_of(tree->pid[i], &own, &shared);
        sum += own;
        if (shared > most_shared)
            most_shared = shared;
    }
    return (sum + most_shared) * sysconf(_SC_PAGESIZE);
}

int process_tree_nth(struct process_tree *tree, int n) {
    if (n >= tree->count)
        look_now_and_then(tree);
    return n < tree->count ? tree->pid[n] : -1;
}

void process_tree_done(struct process_tree *tree) { free(tree->pid); }
