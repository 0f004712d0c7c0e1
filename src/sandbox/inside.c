// SPDX-License-Identifier: MIT
// The order matters: what needs rights comes before they are given up, the filter last.
#include "sandbox/inside.h"

#include "base/fds.h"
#include "base/path.h"
#include "sandbox/fail.h"
#include "sandbox/fence.h"
#include "sandbox/filter.h"
#include "sandbox/witness.h"
#include "sandbox/wrap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    OPEN_FILES = 1024,
    BACKLOG = 16,
    PROCESSES_MANY = 4096,
    PROCESSES_SPARE = 256, // that others of the same user may start meanwhile
};

// How many files there can be in its room: each takes a kilobyte of the kernel's memory, which
// nothing counts below level 3, and bubblewrap has no word for it.
static const char room_files[] = "nr_inodes=32768";

// What of the environment a player gets; the rest may hold secrets.
static const char *const kept[] = {"PATH", "LANG", "LC_ALL", "TZ"};

static void limit(__rlimit_resource_t what, int64_t most) {
    struct rlimit now;
    if (getrlimit(what, &now) < 0)
        fail("cannot read a limit", "");
    const rlim_t wanted = (rlim_t)most < now.rlim_max ? (rlim_t)most : now.rlim_max;
    if (setrlimit(what, &(struct rlimit){wanted, wanted}) < 0)
        fail("cannot set a limit", "");
}

// How many there are on this machine, threads included.
static int64_t count_processes(void) {
    char text[100];
    long long count = 0;
    path_read_text(AT_FDCWD, "/proc/loadavg", text, sizeof text);
    if (sscanf(text, "%*f %*f %*f %*d/%lld", &count) != 1)
        count = PROCESSES_MANY;
    return count;
}

// Processes are counted for each user, or user namespace. Where the player is the user that
// we are, it may have as many besides all that there are by now: the limit holds for it alone, and
// a player that forks without end comes to it.
static void set_limits(const struct options *o) {
    const bool shared = !o->uid && o->level < LEVEL_NAMESPACES;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, OPEN_FILES);
    limit(RLIMIT_FSIZE, o->files);
    limit(RLIMIT_NPROC, o->processes + (shared ? count_processes() + PROCESSES_SPARE : 0));
}

// The judge's port on this side of the wall: we listen, and it gets the socket.
static void open_door(const struct options *o) {
    const struct sockaddr_in place = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)o->port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&place, sizeof place) < 0 ||
        listen(fd, BACKLOG) < 0)
        fail("cannot listen inside", "");
    if (!fds_send((int)o->door, fd))
        fail("cannot hand the socket over", "");
    close(fd);
    close((int)o->door);
}

// For that bubblewrap leaves us a right (wrap.c), which ends here. Where a policy of the machine's
// takes it from us, so be it.
static void bound_room(void) {
    if (mount(NULL, "/tmp", NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV, room_files) < 0 &&
        errno != EPERM && errno != EACCES)
        fail("cannot bound the number of files in", "/tmp");
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
        fail("cannot give up rights", "");
}

static bool map_one(const char *path, unsigned id) {
    char map[64];
    snprintf(map, sizeof map, "%u %u 1", id, id);
    return path_write_text(path, map);
}

static bool map_self(uid_t uid, gid_t gid) {
    return path_write_text("/proc/self/setgroups", "deny") && map_one("/proc/self/uid_map", uid) &&
           map_one("/proc/self/gid_map", gid);
}

// There is no way back out of a user namespace, so a child tries where a policy may be against it.
static bool can_leave_users(uid_t uid, gid_t gid) {
    int status = -1;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(CLONE_NEWUSER) == 0 && map_self(uid, gid) ? 0 : 1);
    waitpid(pid, &status, 0);
    return pid > 0 && status == 0;
}

// Into a user namespace in which there is nobody else. Without root, bubblewrap's first process is
// the same user, and out of reach from there nevertheless, its memory and environment too. Some
// machines do not let anybody have one; the filter lets the player do nothing with it in any case.
static void leave_users(bool was_root) {
    const uid_t uid = getuid();
    const gid_t gid = getgid();
    prctl(PR_SET_DUMPABLE, 1);
    if ((!was_root && !can_leave_users(uid, gid)) || unshare(CLONE_NEWUSER) < 0)
        return;
    if (!map_self(uid, gid))
        fail("cannot map the user", "");
}

static void step_down(uid_t uid) {
    if (setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0)
        fail("cannot become the player's user", "");
}

// A process of real time may not enter the group of the core, and has no need to: EINVAL.
static void enter_group(int64_t fd, const char *name) {
    if (fd > 0 && write((int)fd, "0", 1) != 1 && errno != EINVAL)
        fail("cannot enter the control group of", name);
    if (fd > 0)
        close((int)fd);
}

// What came around bubblewrap (wrap.c) takes its place.
static void take_on(int64_t fd, int as) {
    if (fd <= 0)
        return;
    if (dup2((int)fd, as) < 0)
        fail("cannot take on", as == STDIN_FILENO ? "standard input" : "standard output");
    close((int)fd);
}

static int parent_of(int pid) {
    char path[40], text[512], *name_end;
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    path_read_text(AT_FDCWD, path, text, sizeof text);
    if ((name_end = strrchr(text, ')')))
        sscanf(name_end + 1, " %*c %d", &parent);
    return parent;
}

static void guard(struct filter *f, int number) {
    for (int i = 0; i < f->guarded_count; i++)
        if (f->guarded[i] == number)
            return;
    if (number > 1 && f->guarded_count < GUARDED_MAX)
        f->guarded[f->guarded_count++] = number;
}

// Without walls the judge can be seen: those who have started us are out of reach.
static void guard_above(struct filter *f) {
    for (int pid = getppid(); pid > 1; pid = parent_of(pid)) {
        guard(f, pid);
        guard(f, getpgid(pid));
    }
}

static struct filter filter_of(const struct options *o) {
    struct filter f = {.internet = o->port > 0,
                       .walled = o->level >= LEVEL_NAMESPACES,
                       .alone = o->alone,
                       .counted = !o->uncounted,
                       .wine = o->wine,
                       .locks = o->locks};
    if (o->level == LEVEL_FILTER)
        guard_above(&f);
    return f;
}

void inside_clean(const char *home) {
    char *values[sizeof kept / sizeof *kept];
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const char *value = getenv(kept[i]);
        values[i] = value ? strdup(value) : NULL;
    }
    clearenv();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (values[i])
            setenv(kept[i], values[i], 1);
        free(values[i]);
    }
    setenv("HOME", home, 1);
}

// For the fence, as long as we may go there: what lies above it may be shut to the player.
static int open_folder(const struct options *o) {
    if (o->level != LEVEL_FILTER || !o->folder)
        return -1;
    const int folder = open(o->folder, O_PATH | O_CLOEXEC);
    if (folder < 0)
        fail("cannot open the player's folder", o->folder);
    return folder;
}

_Noreturn void inside_start(const struct options *o) {
    const bool walled = o->level >= LEVEL_NAMESPACES;
    const struct filter filter = filter_of(o);
    const struct fence fence = {
        .folder = open_folder(o), .temporary = o->wine, .port = (int)o->port};
    take_on(o->input, STDIN_FILENO);
    take_on(o->output, STDOUT_FILENO);
    if (o->self > 0)
        close((int)o->self);
    if (walled && o->port > 0 && o->door > 0)
        open_door(o);
    enter_group(o->freezer, "the freezer");
    enter_group(o->core, "the core");
    if (o->nice > 0 && setpriority(PRIO_PROCESS, 0, (int)o->nice - NICE_ZERO) < 0)
        fail("cannot take our time again", "");
    inside_clean(walled || !o->folder ? WRAP_HOME : o->folder);
    if (!walled && o->folder)
        setenv("TMPDIR", o->folder, 1);
    if (!o->locks) // or it says on standard output that it could not lock its statistics
        setenv("JDK_JAVA_OPTIONS", "-XX:-UsePerfData", 1);
    if (walled)
        bound_room();
    if (o->uid)
        step_down((uid_t)o->uid);
    if (walled)
        leave_users(o->uid != 0);
    set_limits(o);
    prctl(PR_SET_DUMPABLE, 1);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        fail("cannot give up new privileges", "");
    if (o->begun > 0)
        close((int)o->begun); // what is left takes next to no time
    if (o->level == LEVEL_FILTER && !fence_load(&fence))
        fail("cannot fence the player in", "");
    if (o->level >= LEVEL_FILTER && !(o->tell ? witness_load : filter_load)(&filter))
        fail("cannot filter system calls", "");
    if (o->memory > 0 && !o->wine)
        limit(RLIMIT_AS, o->memory); // we may have more ourselves already
    execvp(o->words[0], o->words);
    fail("cannot start", o->words[0]);
}

bool inside_can_filter(void) {
    int status = -1;
    const pid_t pid = fork();
    if (pid == 0) {
        const struct filter filter = {.counted = true};
        _exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && filter_load(&filter) ? 0 : 1);
    }
    waitpid(pid, &status, 0);
    return pid > 0 && status == 0;
}
