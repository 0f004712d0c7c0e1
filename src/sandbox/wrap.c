// SPDX-License-Identifier: MIT
// Root lets bubblewrap work with its own rights and steps down to another user inside, because
// only so the player's files may lie in folders that are root's alone. Anybody else has those
// rights in a user namespace. In both cases nothing is mounted but what is listed here, all of it
// read-only but a folder, /tmp and /dev/shm, which are memory and bounded.
#include "sandbox/wrap.h"

#include "base/buf.h"
#include "base/mem.h"
#include "sandbox/fail.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define INSIDE "/run/arbiter-box"

enum { WORDS_MAX = 800 };

struct list {
    const char *word[WORDS_MAX];
    int count;
};

static const char *const spaces[] = {"bwrap",         "--unshare-pid",    "--unshare-net",
                                     "--unshare-ipc", "--unshare-uts",    "--unshare-cgroup-try",
                                     "--new-session", "--die-with-parent"};

// The system, as far as it is there: programs, libraries, and what they look up. Every mount takes
// bubblewrap half a millisecond, so there are no more of them than are needed.
static const char *const system_paths[] = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/passwd",
    "/etc/group",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/localtime",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/mono",
};

// For a single file bubblewrap would make folders that only root may enter.
static const char *const folders[] = {"--perms", "0755", "--dir", "/etc"};

static const char *const devices[] = {"--proc", "/proc", "--dev", "/dev"};

static void add(struct list *list, const char *word) {
    if (list->count == WORDS_MAX - 1)
        fail("too many words for bubblewrap", "");
    list->word[list->count++] = word;
}

static void add_all(struct list *list, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        add(list, words[i]);
}

#define ADD_ALL(list, words) add_all(list, words, sizeof(words) / sizeof *(words))

// A link, as /bin mostly is, stays one.
static void show_system(struct list *list, const char *path) {
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    const char *const link[] = {"--symlink", mem_text(target), path}, *const bind[] = {"--ro-bind",
                                                                                       path, path};
    if (length > 0)
        ADD_ALL(list, link);
    else if (access(path, F_OK) == 0)
        ADD_ALL(list, bind);
}

// Its folder is made as above.
static void show_file(struct list *list, const char *path, const char *as) {
    char *parent = mem_text(as);
    *strrchr(parent, '/') = '\0';
    if (*parent) {
        const char *const words[] = {"--perms", "0755", "--dir", parent};
        ADD_ALL(list, words);
    }
    const char *const words[] = {"--ro-bind", path, as};
    ADD_ALL(list, words);
}

// Room to write in, of its own and bounded.
static void add_room(struct list *list, const char *path, const char *bytes) {
    const char *const words[] = {"--perms", "1777", "--size", bytes, "--tmpfs", path};
    ADD_ALL(list, words);
}

static char *number_text(int64_t number) {
    struct buf out = {.data = NULL};
    buf_format(&out, "%" PRId64, number);
    return out.data;
}

static char *own_path(void) {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        fail("cannot find", "/proc/self/exe");
    path[length] = '\0';
    return mem_text(path);
}

// Up to the command; the texts are never freed, as we become another program.
static void add_namespaces(struct list *list, const struct options *o) {
    const char *bytes = number_text(o->files);
    ADD_ALL(list, spaces);
    if (geteuid() != 0)
        add(list, "--unshare-user");
    ADD_ALL(list, folders);
    for (size_t i = 0; i < sizeof system_paths / sizeof *system_paths; i++)
        show_system(list, system_paths[i]);
    ADD_ALL(list, devices);
    add_room(list, "/tmp", bytes);
    add_room(list, "/dev/shm", bytes);
    add_room(list, WRAP_HOME, bytes);
    for (int i = 0; i < o->shows; i++)
        show_file(list, o->show[i], o->show[i]);
    show_file(list, own_path(), INSIDE);
    const char *const rest[] = {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WRAP_HOME};
    ADD_ALL(list, rest);
}

_Noreturn void wrap_start(const struct options *o, char **argv) {
    struct list list = {.count = 0};
    add_namespaces(&list, o);
    const char *const second[] = {"--", INSIDE, "--inside"};
    ADD_ALL(&list, second);
    if (o->uid) {
        add(&list, "--uid");
        add(&list, number_text(o->uid));
    }
    for (argv++; *argv; argv++)
        add(&list, *argv);
    execvp("bwrap", (char **)list.word);
    fail("cannot start", "bwrap");
}

// In a child, with what it says on a pipe.
static _Noreturn void try_in_child(int out) {
    const struct options o = {.files = 1 << 20};
    struct list list = {.count = 0};
    add_namespaces(&list, &o);
    add(&list, "/bin/true");
    dup2(out, STDERR_FILENO);
    execvp("bwrap", (char **)list.word);
    fail("cannot start", "bwrap");
}

bool wrap_works(char *why, unsigned long size) {
    int ends[2], status = -1;
    if (pipe(ends) < 0)
        fail("cannot make", "a pipe");
    const pid_t pid = fork();
    if (pid == 0)
        try_in_child(ends[1]);
    close(ends[1]);
    const ssize_t length = read(ends[0], why, size - 1);
    why[length > 0 ? length : 0] = '\0';
    why[strcspn(why, "\n")] = '\0';
    close(ends[0]);
    waitpid(pid, &status, 0);
    return pid > 0 && status == 0;
}
