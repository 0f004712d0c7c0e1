// SPDX-License-Identifier: MIT
// Who makes a folder holds a lock on it (flock, on the folder itself), which the kernel takes back
// however it ends, and which nobody else can undo, not even a player whom the folder was given to.
// A folder of ours that nobody has locked is left over. One that is just being made is not locked
// yet: its maker looks, once it has the lock, whether it is still there, and makes another if not.
#include "base/scratch.h"

#include "base/buf.h"
#include "base/path.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SWEPT = -2 };

static const char prefix[] = "arbiter-run-", random_end[] = "XXXXXX", kept[] = "arbiter-kept-";

static const char *above(void) {
    const char *temporary = getenv("TMPDIR");
    return temporary && *temporary ? temporary : "/tmp";
}

// The lock of a folder just made; SWEPT: it is gone already; -1: it cannot be had.
static int lock_fresh(const char *path) {
    struct stat info;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? SWEPT : -1;
    while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
        ;
    if (fstat(fd, &info) == 0 && info.st_nlink > 0)
        return fd;
    close(fd);
    return SWEPT;
}

bool scratch_make(struct scratch *s, const char *whom, struct err *err) {
    assert(whom);
    struct buf path = {.data = NULL};
    do {
        buf_clear(&path);
        buf_format(&path, "%s/%s%s", above(), prefix, random_end);
        s->lock = mkdtemp(path.data) ? lock_fresh(path.data) : -1;
    } while (s->lock == SWEPT);
    if (s->lock >= 0) {
        s->path = path.data;
        return true;
    }
    err_set(err, "cannot make a folder for %.100s in %.200s: %s", whom, above(), strerror(errno));
    rmdir(path.data);
    buf_done(&path);
    return false;
}

static void let_go(struct scratch *s) {
    if (s->lock >= 0)
        close(s->lock);
    free(s->path);
    *s = (struct scratch){.path = NULL};
}

void scratch_done(struct scratch *s) {
    if (!s->path)
        return;
    path_remove(s->path);
    let_go(s);
}

// Gives the folder a name of its own below another; NULL if that cannot be.
static char *move_below(const struct scratch *s, const char *folder, const char *begin) {
    struct buf to = {.data = NULL};
    buf_format(&to, "%s/%s%s", folder, begin, random_end);
    if (mkdtemp(to.data) && rename(s->path, to.data) == 0)
        return to.data;
    rmdir(to.data);
    buf_done(&to);
    return NULL;
}

char *scratch_keep(struct scratch *s, const char *folder) {
    assert(s->path);
    const bool made = mkdir(folder, 0700) == 0;
    char *to = move_below(s, folder, "player-");
    if (!to && made)
        rmdir(folder);
    if (!to)
        to = move_below(s, above(), kept);
    if (!to) {
        to = s->path;
        s->path = NULL;
    }
    let_go(s);
    return to;
}

// Folders of players that ran as users of their own belong to those.
static bool is_ours(uid_t user) {
    return user == geteuid() || (geteuid() == 0 && user >= SCRATCH_USERS);
}

// A folder of ours, even if its player has shut it; -1: it is none. What is found there first is
// what is opened: a player may put something else in its place meanwhile.
static int open_ours(const char *path) {
    char found[40];
    struct stat info;
    int fd = -1;
    const int place = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0)
        return -1;
    snprintf(found, sizeof found, "/proc/self/fd/%d", place);
    if (fstat(place, &info) == 0 && is_ours(info.st_uid) &&
        (fd = open(found, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0 && chmod(found, 0700) == 0)
        fd = open(found, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(place);
    return fd;
}

static void sweep_one(const char *path) {
    const int fd = open_ours(path);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        path_remove(path);
    close(fd);
}

void scratch_sweep(void) {
    const size_t length = strlen(prefix) + strlen(random_end);
    struct buf path = {.data = NULL};
    DIR *dir = opendir(above());
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || strlen(entry->d_name) != length)
            continue;
        buf_clear(&path);
        buf_format(&path, "%s/%s", above(), entry->d_name);
        sweep_one(path.data);
    }
    if (dir)
        closedir(dir);
    buf_done(&path);
}
