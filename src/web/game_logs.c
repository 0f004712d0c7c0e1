// SPDX-License-Identifier: MIT
#include "web/game_logs.h"

#include "base/path.h"
#include "web/game_archive.h"
#include "web/secret.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct buf path_of(const char *folder, const char *id) {
    struct buf path = {.data = NULL};
    buf_format(&path, "%s/%s", folder, id);
    return path;
}

// Removes the oldest if there are more than are kept.
static void tidy(const char *folder) {
    char oldest[256] = "";
    struct timespec when = {.tv_sec = 0};
    int count = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        struct stat info;
        if (!game_archive_is_id(e->d_name) || fstatat(dirfd(dir), e->d_name, &info, 0) != 0)
            continue;
        const struct timespec at = info.st_mtim;
        if (count++ == 0 || at.tv_sec < when.tv_sec ||
            (at.tv_sec == when.tv_sec && at.tv_nsec < when.tv_nsec)) {
            strcpy(oldest, e->d_name);
            when = at;
        }
    }
    if (count > GAME_LOGS_KEPT)
        unlinkat(dirfd(dir), oldest, 0);
    if (dir)
        closedir(dir);
}

bool game_logs_put(const char *folder, const char *id, const struct buf *log, struct err *err) {
    struct buf path = path_of(folder, id);
    const bool good = secret_write(path.data, log->data, log->length, err);
    buf_done(&path);
    tidy(folder);
    return good;
}

bool game_logs_get(const char *folder, const char *id, struct buf *out) {
    if (!game_archive_is_id(id))
        return false;
    struct buf path = path_of(folder, id);
    const bool there = path_read(path.data, GAME_LOG_BYTES + 4096, out) && out->data;
    buf_done(&path);
    return there;
}
