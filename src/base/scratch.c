// SPDX-License-Identifier: MIT
// Who makes a folder holds a lock on it (flock, on the folder itself), which the kernel takes back
// however he ends, and which nobody else can undo, not even a player whom the folder was given to.
// A folder of ours that nobody has locked is left over. One that is just being made is not locked
// yet: its maker looks, once he has the lock, whether it is still there, and makes another if not.
#include "base/scratch.h"

#include "base/buf.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "arbiter-run-", random_end[] = "XXXXXX", kept[] = "arbiter-kept-";

static const char *above(void) {
    const char *temporary = getenv("TMPDIR");
    return temporary && *temporary ? temporary : "/tmp";
}

static int open_folder(const char *path) {
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The lock of a folder just made; -1: it is gone already.
static int lock_fresh(const char *path) {
    struct stat info;
    const int fd = open_folder(path);
    while (fd >= 0 && flock(fd, LOCK_EX) < 0 && errno == EINTR)
        ;
    if (fd < 0 || (fstat(fd, &info) == 0 && info.st_nlink > 0))
        return fd;
    close(fd);
    errno = ENOENT;
    return -1;
}

bool scratch_make(struct scratch *s, const char *whom, struct err *err) {
    struct buf path = {.data = NULL};
    do {
        buf_clear(&path);
        buf_format(&path, "%s/%s%s", above(), prefix, random_end);
        if (!mkdtemp(path.data)) {
            err_set(err, "cannot make a folder for %.100s in %.200s: %s", whom, above(),
                    strerror(errno));
            buf_done(&path);
            return false;
        }
        s->lock = lock_fresh(path.data);
    } while (s->lock < 0 && errno == ENOENT);
    s->path = path.data;
    return true;
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

char *scratch_keep(struct scratch *s) {
    struct buf to = {.data = NULL};
    buf_format(&to, "%s/%s%s", above(), kept, random_end);
    if (!mkdtemp(to.data) || rename(s->path, to.data) != 0) {
        buf_clear(&to);
        buf_text(&to, s->path);
    }
    let_go(s);
    return to.data;
}

// Folders of players that ran as users of their own belong to those.
static bool may_be_ours(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) &&
           (info.st_uid == geteuid() || (geteuid() == 0 && info.st_uid >= SCRATCH_USERS));
}

static void sweep_one(const char *path) {
    const bool ours = may_be_ours(path);
    int fd = ours ? open_folder(path) : -1;
    if (ours && fd < 0 && chmod(path, 0700) == 0) // its player has shut it
        fd = open_folder(path);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        path_remove(path);
    if (fd >= 0)
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
