// SPDX-License-Identifier: MIT
#include "base/fds.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// Calls for every open descriptor from this one on.
static void each(int from, void (*call)(struct fds *fds, int fd, const struct stat *info),
                 struct fds *fds) {
    DIR *folder = opendir("/proc/self/fd");
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int fd = atoi(entry->d_name);
        struct stat info;
        if (*entry->d_name != '.' && fd >= from && fd != dirfd(folder) && fstat(fd, &info) == 0)
            call(fds, fd, &info);
    }
    if (folder)
        closedir(folder);
}

static void fds_add(struct fds *fds, int fd, const struct stat *info) {
    (void)fd;
    fds->at = mem_resize(fds->at, (fds->count + 1) * sizeof *fds->at);
    fds->at[fds->count].device = info->st_dev;
    fds->at[fds->count++].file = info->st_ino;
}

void fds_list(struct fds *fds, int from) { each(from, fds_add, fds); }

static void close_known(struct fds *fds, int fd, const struct stat *info) {
    bool known = false;
    for (size_t i = 0; i < fds->count; i++)
        known |= fds->at[i].device == info->st_dev && fds->at[i].file == info->st_ino;
    if (known)
        close(fd);
}

void fds_close(const struct fds *fds, int from) { each(from, close_known, (struct fds *)fds); }

int fds_allow(int most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return most;
    if (limit.rlim_cur < (rlim_t)most) {
        limit.rlim_cur = limit.rlim_max < (rlim_t)most ? limit.rlim_max : (rlim_t)most;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur < (rlim_t)most ? (int)limit.rlim_cur : most;
}

bool fds_write(int fd, const void *bytes, size_t length) {
    for (const char *at = bytes; length > 0;) {
        const ssize_t n = write(fd, at, length);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

void fds_done(struct fds *fds) {
    free(fds->at);
    *fds = (struct fds){.at = NULL};
}
