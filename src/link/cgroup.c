// SPDX-License-Identifier: MIT
// Three things were measured here. A process that writes "0" to `tasks` of version 1 moves itself
// in 35 µs; by `cgroup.procs` the kernel waits for all CPUs, 5 to 18 ms. With version 2 the process
// is born inside for the same reason (CLONE_INTO_CGROUP). And the freezer of version 1 rewrites
// code of the kernel when the first group is frozen and when the last is thawed, 100 µs each; an
// empty group that always stays frozen brings both below 5 µs. Each process more costs some 5 µs,
// so bubblewrap's two, which only wait, stay outside of it.
//
// A frozen process of version 1 does not even die: whoever ends one has to thaw it.
#include "link/cgroup.h"

#include "base/path.h"
#include "link/cgroup_site.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CONFIRM_TRIES = 5, REMOVE_TRIES = 100, REMOVE_PAUSE_US = 1000, LIST_BYTES = 1 << 16 };

// The files of both versions; NULL: there is no such file, and it is not needed.
struct files {
    const char *limit, *swap, *peak, *events; // memory
    const char *processes;
    const char *freeze, *ice, *thaw; // where it is frozen, and by which words
    const char *frozen, *is_frozen;  // where that is seen, and by which words
    const char *cpu, *cpu_word;
    int64_t cpu_per_us;
    const char *core, *core_all, *core_least; // how much of the core, where there is no cpu.idle
};

static const struct files files[2] = {
    {"memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.max_usage_in_bytes",
     "memory.oom_control", "pids.max", "freezer.state", "FROZEN", "THAWED", "freezer.state",
     "FROZEN", "cpuacct.usage", "", 1000, "cpu.shares", "1024", "2"},
    {"memory.max", "memory.swap.max", "memory.peak", "memory.events", "pids.max", "cgroup.freeze",
     "1", "0", "cgroup.events", "frozen 1", "cpu.stat", "usage_usec ", 1, "cpu.weight", "100", "1"},
};

static const struct files *files_of(const struct cgroup *g) { return &files[g->at->unified]; }

static void path_of(const struct cgroup *g, enum cgroup_part part, const char *file,
                    char path[static 2 * CGROUP_PATH_MAX]) {
    snprintf(path, 2 * CGROUP_PATH_MAX, "%s/%s%s%s", g->at->folder[part], g->name, *file ? "/" : "",
             file);
}

static int open_file(const struct cgroup *g, enum cgroup_part part, const char *file, int flags) {
    char path[2 * CGROUP_PATH_MAX];
    path_of(g, part, file, path);
    return open(path, flags | O_CLOEXEC);
}

static bool write_file(const struct cgroup *g, enum cgroup_part part, const char *file,
                       const char *words) {
    char path[2 * CGROUP_PATH_MAX];
    path_of(g, part, file, path);
    return path_write_text(path, words);
}

static bool read_at(int fd, char *text, size_t size) {
    const ssize_t length = fd >= 0 ? pread(fd, text, size - 1, 0) : -1;
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool read_file(const struct cgroup *g, enum cgroup_part part, const char *file, char *text,
                      size_t size) {
    char path[2 * CGROUP_PATH_MAX];
    path_of(g, part, file, path);
    return path_read_text(AT_FDCWD, path, text, size) && *text;
}

// The number behind a word at the beginning of a line, or -1.
static int64_t number_behind(const char *text, const char *word) {
    const size_t length = strlen(word);
    while (text && strncmp(text, word, length) != 0) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text ? strtoll(text + length, NULL, 10) : -1;
}

// Counting and sharing out CPU time are often mounted as one.
static bool is_joint(const struct cgroups *at) {
    return strcmp(at->folder[CGROUP_CORE], at->folder[CGROUP_CPU]) == 0;
}

// Whether a part has a folder of its own. With version 2 one serves all.
static bool has_part(const struct cgroup *g, int part) {
    if (g->at->unified)
        return part == 0;
    if (part == CGROUP_CORE)
        return g->at->cores && (g->light || !is_joint(g->at));
    return !g->light;
}

bool cgroups_enter_core(const struct cgroups *at, bool light) {
    const struct cgroup group = {.at = at, .light = light};
    return !at->unified && has_part(&group, CGROUP_CORE);
}

static void remove_folders(const struct cgroup *g, int parts) {
    char path[2 * CGROUP_PATH_MAX];
    for (int i = 0; i < parts; i++) {
        if (!has_part(g, i))
            continue;
        path_of(g, (enum cgroup_part)i, "", path);
        for (int k = 0; rmdir(path) < 0 && errno == EBUSY && k < REMOVE_TRIES; k++)
            usleep(REMOVE_PAUSE_US); // the dead are still leaving it
    }
}

static bool make_folders(struct cgroup *g) {
    char path[2 * CGROUP_PATH_MAX];
    for (int i = 0; i < CGROUP_PARTS; i++) {
        path_of(g, (enum cgroup_part)i, "", path);
        if (!has_part(g, i) || mkdir(path, 0755) == 0)
            continue;
        const int error = errno;
        remove_folders(g, i);
        errno = error;
        return false;
    }
    return true;
}

// Under the first name that is free.
static bool make_named(struct cgroup *g) {
    bool made = false;
    errno = EEXIST;
    for (int i = 0; !made && errno == EEXIST; i++) {
        snprintf(g->name, sizeof g->name, CGROUP_PREFIX "%d-%d", getpid(), i);
        made = make_folders(g);
    }
    return made;
}

static bool set_limits(const struct cgroup *g, int64_t memory, int processes) {
    char words[32];
    snprintf(words, sizeof words, "%d", processes);
    if (!write_file(g, CGROUP_PIDS, files_of(g)->processes, words))
        return false;
    snprintf(words, sizeof words, "%lld", (long long)memory);
    if (memory == 0)
        return true;
    const bool limited = write_file(g, CGROUP_MEMORY, files_of(g)->limit, words);
    // No swap either; a kernel without swap accounting has no such file.
    write_file(g, CGROUP_MEMORY, files_of(g)->swap, g->at->unified ? "0" : words);
    return limited;
}

// Idle groups give way to others at once, not only by their share (Linux 5.15).
static void open_core(struct cgroup *g) {
    if (!g->at->cores)
        return;
    g->core = open_file(g, CGROUP_CORE, "cpu.idle", O_WRONLY);
    g->idle = g->core >= 0;
    if (!g->idle)
        g->core = open_file(g, CGROUP_CORE, files_of(g)->core, O_WRONLY);
}

static bool open_all(struct cgroup *g) {
    const struct files *f = files_of(g);
    bool good = true;
    open_core(g);
    for (int i = 0; i < CGROUP_PARTS; i++) {
        if (!has_part(g, i))
            continue;
        g->enter[i] = g->at->unified ? open_file(g, (enum cgroup_part)i, "", O_RDONLY | O_DIRECTORY)
                                     : open_file(g, (enum cgroup_part)i, "tasks", O_WRONLY);
        good &= g->enter[i] >= 0;
    }
    if (g->light)
        return good && g->core >= 0;
    g->freeze = open_file(g, CGROUP_FREEZER, f->freeze, O_WRONLY);
    g->frozen = open_file(g, CGROUP_FREEZER, f->frozen, O_RDONLY);
    g->cpu = open_file(g, CGROUP_CPU, f->cpu, O_RDONLY);
    g->pressure = g->at->unified ? open_file(g, CGROUP_CPU, "cpu.pressure", O_RDONLY) : -1;
    return good && g->freeze >= 0 && g->frozen >= 0 && g->cpu >= 0;
}

static struct cgroup nothing(const struct cgroups *at) {
    return (struct cgroup){.at = at,
                           .enter = {-1, -1, -1, -1, -1},
                           .freeze = -1,
                           .frozen = -1,
                           .cpu = -1,
                           .pressure = -1,
                           .core = -1};
}

static bool make(struct cgroup *g, int64_t memory, int processes) {
    if (!make_named(g))
        return false;
    if ((g->light || set_limits(g, memory, processes)) && open_all(g))
        return true;
    const int error = errno;
    cgroup_close(g);
    cgroup_remove(g);
    errno = error;
    return false;
}

bool cgroup_make(struct cgroup *g, const struct cgroups *at, int64_t memory, int processes) {
    assert(at->usable && memory >= 0 && processes > 0);
    *g = nothing(at);
    return make(g, memory, processes);
}

bool cgroup_make_light(struct cgroup *g, const struct cgroups *at) {
    assert(at->cores);
    *g = nothing(at);
    g->light = true;
    return make(g, 0, 0);
}

int cgroup_fork(const struct cgroup *g) {
    if (!g->at->unified)
        return fork();
    struct clone_args how = {
        .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (__u64)g->enter[0]};
    return (int)syscall(SYS_clone3, &how, sizeof how);
}

bool cgroup_enter(const struct cgroup *g) {
    bool good = true;
    for (int i = 0; i < CGROUP_PARTS && !g->at->unified; i++)
        good &= i == CGROUP_FREEZER || i == CGROUP_CORE || g->enter[i] < 0 ||
                write(g->enter[i], "0", 1) == 1;
    return good;
}

bool cgroup_is_frozen(const struct cgroup *g) {
    char text[200];
    return read_at(g->frozen, text, sizeof text) && strstr(text, files_of(g)->is_frozen);
}

// A process has to run once more to freeze: if it was not at once, we let it.
bool cgroup_freeze(const struct cgroup *g) {
    const char *words = files_of(g)->ice;
    if (pwrite(g->freeze, words, strlen(words), 0) < 0)
        return false;
    for (int i = 0; i < CONFIRM_TRIES; i++) {
        if (cgroup_is_frozen(g))
            return true;
        sched_yield();
    }
    return false;
}

void cgroup_thaw(const struct cgroup *g) {
    const char *words = files_of(g)->thaw;
    const ssize_t ignored = pwrite(g->freeze, words, strlen(words), 0);
    (void)ignored; // it is removed then
}

void cgroup_favour(const struct cgroup *g, bool favoured) {
    const struct files *f = files_of(g);
    const char *words = g->idle ? (favoured ? "0" : "1") : favoured ? f->core_all : f->core_least;
    if (g->core < 0)
        return;
    const ssize_t ignored = pwrite(g->core, words, strlen(words), 0);
    (void)ignored; // it is removed then
}

int64_t cgroup_cpu_us(const struct cgroup *g) {
    char text[1000];
    if (!read_at(g->cpu, text, sizeof text))
        return -1;
    const int64_t used = number_behind(text, files_of(g)->cpu_word);
    return used < 0 ? -1 : used / files_of(g)->cpu_per_us;
}

// "full avg10=0.00 avg60=0.00 avg300=0.00 total=123", which kernels before 5.13 do not have.
int64_t cgroup_starved_us(const struct cgroup *g) {
    char text[400];
    const char *full = read_at(g->pressure, text, sizeof text) ? strstr(text, "full ") : NULL;
    const char *total = full ? strstr(full, "total=") : NULL;
    return total ? strtoll(total + strlen("total="), NULL, 10) : -1;
}

void cgroup_memory(const struct cgroup *g, struct cgroup_memory *memory) {
    char text[1000];
    const struct files *f = files_of(g);
    *memory = (struct cgroup_memory){.peak = -1};
    if (read_file(g, CGROUP_MEMORY, f->peak, text, sizeof text))
        memory->peak = number_behind(text, "");
    if (read_file(g, CGROUP_MEMORY, f->events, text, sizeof text))
        memory->over = number_behind(text, "oom_kill ") > 0;
}

static void close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void cgroup_close(struct cgroup *g) {
    for (int i = 0; i < CGROUP_PARTS; i++)
        close_fd(&g->enter[i]);
    close_fd(&g->freeze);
    close_fd(&g->frozen);
    close_fd(&g->cpu);
    close_fd(&g->pressure);
    close_fd(&g->core);
}

static void kill_inside(const struct cgroup *g) {
    char list[LIST_BYTES], *at = list, *end;
    read_file(g, g->light ? CGROUP_CORE : CGROUP_PIDS, "cgroup.procs", list, sizeof list);
    for (long pid; (pid = strtol(at, &end, 10)) > 0; at = end)
        kill((pid_t)pid, SIGKILL);
}

void cgroup_end(const struct cgroup *g) {
    kill_inside(g);
    if (!g->light)
        write_file(g, CGROUP_FREEZER, files_of(g)->freeze, files_of(g)->thaw);
}

void cgroup_remove(const struct cgroup *g) { remove_folders(g, CGROUP_PARTS); }
