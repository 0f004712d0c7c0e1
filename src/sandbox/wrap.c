// SPDX-License-Identifier: MIT
// Root lets bubblewrap work with its own rights and steps down to another user inside, because
// only so the player's files may lie in folders that are root's alone. Anybody else has those
// rights in a user namespace. In both cases nothing is mounted but what is listed here, all of it
// read-only but /tmp, which is memory and bounded; the player's folder and /dev/shm lie in it.
//
// Every mount takes bubblewrap a third of a millisecond, and a player must start fast: small files
// are copied, of devices there are three, and the second stage is started by a descriptor of it.
#include "sandbox/wrap.h"

#include "base/buf.h"
#include "base/mem.h"
#include "sandbox/fail.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 800, HURRY = 20 };

struct word_list {
    const char *word[WORDS_MAX];
    int count;
};

static const char *const spaces[] = {"bwrap",         "--unshare-pid",    "--unshare-net",
                                     "--unshare-ipc", "--unshare-uts",    "--unshare-cgroup-try",
                                     "--new-session", "--die-with-parent"};

// Of who is not root: a user namespace, and in it what the second stage needs for a mount.
static const char *const rights[] = {"--unshare-user", "--cap-add", "CAP_SYS_ADMIN"};

// The system, as far as it is there: programs, libraries, and what they look up.
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
    "/etc/localtime",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/mono",
};

// Small files of it, copied.
static const char *const system_files[] = {"/etc/ld.so.cache", "/etc/passwd", "/etc/group",
                                           "/etc/hosts", "/etc/nsswitch.conf"};

// For a single file bubblewrap would make folders that only root may enter.
static const char *const folders[] = {"--perms", "0755", "--dir", "/etc",
                                      "--perms", "0755", "--dir", "/dev"};

static const char *const devices[] = {
    "--proc",    "/proc",       "--dev-bind", "/dev/null",     "/dev/null",    "--dev-bind",
    "/dev/zero", "/dev/zero",   "--dev-bind", "/dev/urandom",  "/dev/urandom", "--symlink",
    "urandom",   "/dev/random", "--symlink",  "/proc/self/fd", "/dev/fd",      "--symlink",
    "fd/0",      "/dev/stdin",  "--symlink",  "fd/1",          "/dev/stdout",  "--symlink",
    "fd/2",      "/dev/stderr",
};

// Room to write in: one, that the player's folder and shared memory lie in.
static const char *const rooms[] = {
    "--perms", "1777", "--dir", "/tmp/.player", "--symlink", "tmp/.player", WRAP_HOME,
    "--perms", "1777", "--dir", "/tmp/.shm",    "--symlink", "../tmp/.shm", "/dev/shm"};

static void add(struct word_list *list, const char *word) {
    if (list->count == WORDS_MAX - 1)
        fail("too many words for bubblewrap", "");
    list->word[list->count++] = word;
}

static void add_all(struct word_list *list, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        add(list, words[i]);
}

#define ADD_ALL(list, words) add_all(list, words, sizeof(words) / sizeof *(words))

static bool is_empty(const char *path) {
    int count = 0;
    DIR *folder = opendir(path);
    while (folder && count < 3 && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return folder && count < 3; // itself and the one above
}

// A link, as /bin mostly is, stays one.
static void show_system(struct word_list *list, const char *path) {
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    const char *const link[] = {"--symlink", mem_text(target), path}, *const bind[] = {"--ro-bind",
                                                                                       path, path};
    if (length > 0)
        ADD_ALL(list, link);
    else if (access(path, F_OK) == 0 && !is_empty(path))
        ADD_ALL(list, bind);
}

static char *number_text(int64_t number) {
    struct buf out = {.data = NULL};
    buf_format(&out, "%" PRId64, number);
    return out.data;
}

// The descriptor goes to bubblewrap, which closes it.
static void copy_file(struct word_list *list, const char *path) {
    const int fd = open(path, O_RDONLY);
    if (fd < 0)
        return;
    const char *const words[] = {"--perms", "0644", "--file", number_text(fd), path};
    ADD_ALL(list, words);
}

// Its folder is made as above.
static void show_file(struct word_list *list, const char *path, const char *as) {
    char *parent = mem_text(as);
    *strrchr(parent, '/') = '\0';
    if (*parent) {
        const char *const words[] = {"--perms", "0755", "--dir", parent};
        ADD_ALL(list, words);
    }
    const char *const words[] = {"--ro-bind", path, as};
    ADD_ALL(list, words);
}

static void add_room(struct word_list *list, const char *path, const char *bytes) {
    const char *const words[] = {"--perms", "1777", "--size", bytes, "--tmpfs", path};
    ADD_ALL(list, words);
}

// Up to the command; the texts are never freed, as we become another program.
static void add_namespaces(struct word_list *list, const struct options *o) {
    const char *bytes = number_text(o->files);
    ADD_ALL(list, spaces);
    if (geteuid() != 0)
        ADD_ALL(list, rights);
    ADD_ALL(list, folders);
    for (size_t i = 0; i < sizeof system_paths / sizeof *system_paths; i++)
        show_system(list, system_paths[i]);
    for (size_t i = 0; i < sizeof system_files / sizeof *system_files; i++)
        copy_file(list, system_files[i]);
    ADD_ALL(list, devices);
    add_room(list, "/tmp", bytes);
    ADD_ALL(list, rooms);
    for (int i = 0; i < o->shows; i++)
        show_file(list, o->show[i], o->show[i]);
    const char *const rest[] = {"--remount-ro", "/", "--chdir", WRAP_HOME};
    ADD_ALL(list, rest);
}

// Ourselves, to be started again where no path leads to us.
static const char *own_path(int *fd) {
    struct buf path = {.data = NULL};
    *fd = open("/proc/self/exe", O_RDONLY);
    if (*fd < 0)
        fail("cannot open", "/proc/self/exe");
    buf_format(&path, "/proc/self/fd/%d", *fd);
    return path.data;
}

// Bubblewrap waits for its own processes and for the kernel several times, and would stand in the
// queue for a core each time: root goes ahead of others until the player runs. How nice we were is
// told to the second stage, as a number that is not negative.
static void hurry(struct word_list *list) {
    const int nice = getpriority(PRIO_PROCESS, 0);
    if (setpriority(PRIO_PROCESS, 0, nice - HURRY) < 0)
        return;
    add(list, "--nice");
    add(list, number_text(nice + NICE_ZERO));
}

// Bubblewrap's own processes keep the first three descriptors as long as the player lives, and
// close all others. So its input and output get other numbers on their way: when the player closes
// them, they are closed.
static void pass_on(struct word_list *list) {
    static const char *const names[] = {"--input", "--output"};
    const int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 2; i++) {
        const int fd = fcntl(i, F_DUPFD, STDERR_FILENO + 1);
        if (none < 0 || fd < 0 || dup2(none, i) < 0)
            fail("cannot pass on", names[i]);
        add(list, names[i]);
        add(list, number_text(fd));
    }
}

_Noreturn void wrap_start(const struct options *o, char **argv) {
    struct word_list list = {.count = 0};
    int self;
    add_namespaces(&list, o);
    const char *const second[] = {"--", own_path(&self), "--inside", "--self", number_text(self)};
    ADD_ALL(&list, second);
    pass_on(&list);
    if (o->uid) {
        add(&list, "--uid");
        add(&list, number_text(o->uid));
        hurry(&list);
    }
    for (argv++; *argv; argv++)
        add(&list, *argv);
    execvp("bwrap", (char **)list.word);
    fail("cannot start", "bwrap");
}

// In a child, with what it says on a pipe.
static _Noreturn void try_in_child(int out) {
    const struct options o = {.files = 1 << 20};
    struct word_list list = {.count = 0};
    add_namespaces(&list, &o);
    add(&list, "/bin/true");
    dup2(out, STDERR_FILENO);
    execvp("bwrap", (char **)list.word);
    fail("cannot start", "bwrap");
}

bool wrap_works(char *why, unsigned long size, bool *has_bwrap) {
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
    *has_bwrap = pid > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_STARTED);
    return pid > 0 && status == 0;
}
