// SPDX-License-Identifier: MIT
// For every file a line, "MODE BYTES PATH", and its bytes: MODE is '-', 'x' where it may be run, or
// 'l' for a link, whose bytes are where it leads. Files come in the order of their bytes, whatever
// the language, so that equal folders are equal bytes. Links to files within the folder are kept as
// what they lead to.
#include "contest/bundle.h"

#include "base/fds.h"
#include "base/mem.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES_MAX = 500 << 20, DEPTH_MAX = 64 };

struct packing {
    const char *folder;
    struct buf *out;
    struct err *err;
};

static bool put_file(const struct packing *p, const char *full, const char *path, bool runs) {
    FILE *file = fopen(full, "rb");
    struct buf bytes = {.data = NULL};
    char part[65536];
    if (!file)
        return err_set(p->err, "cannot read %.300s: %s", full, strerror(errno));
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        buf_put(&bytes, part, n);
    bool good = !ferror(file) || err_set(p->err, "cannot read %.300s: %s", full, strerror(errno));
    fclose(file);
    if (good && p->out->length + bytes.length > BYTES_MAX)
        good =
            err_set(p->err, "the folder %.300s holds more than %d MB", p->folder, BYTES_MAX >> 20);
    buf_format(p->out, "%c %zu %s\n", runs ? 'x' : '-', bytes.length, path);
    if (bytes.length > 0)
        buf_put(p->out, bytes.data, bytes.length);
    buf_done(&bytes);
    return good;
}

static bool put_link(const struct packing *p, const char *full, const char *path) {
    char target[PATH_MAX];
    const ssize_t length = readlink(full, target, sizeof target);
    if (length < 0)
        return err_set(p->err, "cannot read %.300s: %s", full, strerror(errno));
    buf_format(p->out, "l %zd %s\n", length, path);
    buf_put(p->out, target, (size_t)length);
    return true;
}

// Whether what a link leads to lies in the folder. Elsewhere it may be anybody's: another player's,
// or what only we may read.
static bool lies_inside(const struct packing *p, const char *link) {
    char root[PATH_MAX], real[PATH_MAX];
    if (!realpath(p->folder, root) || !realpath(link, real))
        return false;
    const size_t length = strlen(root);
    return strncmp(real, root, length) == 0 && real[length] == '/';
}

static bool put_folder(const struct packing *p, const char *path, int depth);

static bool put_entry(const struct packing *p, const char *path, int depth) {
    char full[PATH_MAX];
    struct stat info;
    if (snprintf(full, sizeof full, "%s/%s", p->folder, path) >= PATH_MAX)
        return err_set(p->err, "%.300s: the path is too long", path);
    if (strchr(path, '\n'))
        return err_set(p->err, "%.300s: a name with a line break cannot be kept", full);
    if (lstat(full, &info) != 0)
        return err_set(p->err, "cannot read %.300s: %s", full, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return put_folder(p, path, depth + 1);
    if (S_ISLNK(info.st_mode) &&
        (!lies_inside(p, full) || stat(full, &info) != 0 || !S_ISREG(info.st_mode)))
        return put_link(p, full, path);
    return !S_ISREG(info.st_mode) || put_file(p, full, path, info.st_mode & S_IXUSR);
}

// What Python leaves beside a file that it has run is none of the player's.
static bool is_left_out(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "__pycache__") == 0;
}

static bool put_folder(const struct packing *p, const char *path, int depth) {
    char full[PATH_MAX];
    struct dirent **entries;
    if (snprintf(full, sizeof full, "%s/%s", p->folder, path) >= PATH_MAX)
        return err_set(p->err, "%.300s: the path is too long", path);
    if (depth > DEPTH_MAX)
        return err_set(p->err, "%.300s is too deep", full);
    const int count = scandir(full, &entries, NULL, NULL);
    if (count < 0)
        return err_set(p->err, "cannot read the folder %.300s: %s", full, strerror(errno));
    bool good = true;
    for (int done = 0; done < count; done++) { // by bytes, whatever the language
        int first = -1;
        for (int i = 0; i < count; i++)
            if (entries[i] && (first < 0 || strcmp(entries[i]->d_name, entries[first]->d_name) < 0))
                first = i;
        char inner[PATH_MAX + NAME_MAX];
        const char *name = entries[first]->d_name;
        snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "/" : "", name);
        if (good && !is_left_out(name))
            good = put_entry(p, inner, depth);
        free(entries[first]);
        entries[first] = NULL;
    }
    free(entries);
    return good;
}

bool bundle_pack(const char *folder, struct buf *out, struct err *err) {
    const struct packing p = {folder, out, err};
    return put_folder(&p, "", 0) &&
           (out->length > 0 || err_set(err, "the folder %.300s holds no files", folder));
}

static bool make_parents(const char *path, struct err *err) {
    char folder[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return err_set(err, "cannot make the folder %.300s: %s", folder, strerror(errno));
    }
    return true;
}

static bool write_file(const char *path, char mode, const char *bytes, size_t size,
                       struct err *err) {
    char target[PATH_MAX];
    if (mode == 'l') {
        snprintf(target, sizeof target, "%.*s", (int)size, bytes);
        return symlink(target, path) == 0 ||
               err_set(err, "cannot make the link %.300s: %s", path, strerror(errno));
    }
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode == 'x' ? 0777 : 0666);
    bool good = fd >= 0 && fds_write(fd, bytes, size);
    if (fd >= 0)
        good = close(fd) == 0 && good;
    return good || err_set(err, "cannot write %.300s: %s", path, strerror(errno));
}

// A path that stays inside.
static bool is_inside(const char *path) {
    return *path && *path != '/' && strncmp(path, "../", 3) != 0 && !strstr(path, "/../");
}

bool bundle_unpack(const char *folder, const char *bytes, size_t size, struct err *err) {
    const char *end = bytes + size;
    if (mkdir(folder, 0777) != 0)
        return err_set(err, "cannot make the folder %.300s: %s", folder, strerror(errno));
    while (bytes < end) {
        char mode, path[PATH_MAX], full[2 * PATH_MAX];
        size_t length;
        int used = 0;
        const char *line = memchr(bytes, '\n', (size_t)(end - bytes));
        if (!line || sscanf(bytes, "%c %zu%n", &mode, &length, &used) != 2 ||
            bytes[used++] != ' ' || line - bytes - used >= PATH_MAX ||
            length > (size_t)(end - line - 1))
            return err_set(err, "a kept folder is damaged");
        snprintf(path, sizeof path, "%.*s", (int)(line - bytes - used), bytes + used);
        snprintf(full, sizeof full, "%s/%s", folder, path);
        if (!is_inside(path))
            return err_set(err, "a kept folder has a path that leads out of it: %.300s", path);
        if (!make_parents(full, err) || !write_file(full, mode, line + 1, length, err))
            return false;
        bytes = line + 1 + length;
    }
    return true;
}

bool bundle_remove(const char *folder, struct err *err) {
    struct stat info;
    path_remove(folder);
    const int error = errno;
    return lstat(folder, &info) != 0 ||
           err_set(err, "cannot remove the folder %.300s: %s", folder, strerror(error));
}
