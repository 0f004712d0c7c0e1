// SPDX-License-Identifier: MIT
#include "base/path.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *path_new_folder(const char *whom, struct err *err) {
    const char *temporary = getenv("TMPDIR");
    struct buf path = {.data = NULL};
    if (!temporary || !*temporary)
        temporary = "/tmp";
    buf_format(&path, "%s/arbiter-XXXXXX", temporary);
    if (mkdtemp(path.data))
        return path.data;
    err_set(err, "cannot make a folder for %.100s in %.200s: %s", whom, temporary, strerror(errno));
    buf_done(&path);
    return NULL;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

void path_remove(const char *folder) { nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS); }

bool path_has_program(const char *program) {
    char *folders = mem_text(getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin"), *rest = folders;
    bool found = false;
    for (char *folder; !found && (folder = strsep(&rest, ":"));) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.2000s/%s", folder, program);
        found = access(path, X_OK) == 0;
    }
    free(folders);
    return found;
}

bool path_read(const char *path, size_t most, struct buf *out) {
    char part[65536];
    ssize_t n = 0;
    const size_t before = out->length;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && out->length - before <= most && (n = read(fd, part, sizeof part)) > 0) {
        const size_t room = most + 1 - (out->length - before);
        buf_put(out, part, (size_t)n < room ? (size_t)n : room);
    }
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return fd >= 0 && n >= 0;
}

bool path_write(const char *path, const void *bytes, size_t size) {
    struct buf other = {.data = NULL};
    buf_format(&other, "%s.new", path);
    FILE *file = fopen(other.data, "we");
    bool good = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        good = fclose(file) == 0 && good;
    good = good && rename(other.data, path) == 0;
    buf_done(&other);
    return good;
}
