// SPDX-License-Identifier: MIT
// A folder is removed without going down in it, because what strangers leave there may be deeper
// than a path or our descriptors reach: folders in its folders are moved up to the top first.
#include "base/path.h"

#include "base/mem.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = 2048 }; // so much or less is the last piece

// Lets us into a folder of our own; links are not followed.
static void permit(int above, const char *name) {
    char path[40];
    const int fd = openat(above, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    chmod(path, 0700);
    close(fd);
}

static DIR *open_below(int above, const char *name) {
    permit(above, name);
    const int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !dir)
        close(fd);
    return dir;
}

// Calls for every entry until there is none left, or none of them can be removed any more.
static void for_entries(DIR *dir, bool (*gone)(int fd, const char *name, void *owner),
                        void *owner) {
    bool some = dir != NULL;
    while (some) {
        some = false;
        rewinddir(dir);
        for (const struct dirent *entry; (entry = readdir(dir));)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                some |= gone(dirfd(dir), entry->d_name, owner);
    }
}

// The folder that is removed, and the next number that a folder from below gets in it.
struct removal {
    int top;
    unsigned next;
};

static bool move_up(struct removal *r, int fd, const char *name) {
    char number[16];
    permit(fd, name); // its ".." is written
    do
        snprintf(number, sizeof number, "%u", r->next++);
    while (renameat(fd, name, r->top, number) != 0 &&
           (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR));
    return faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
}

static bool remove_below(int fd, const char *name, void *owner) {
    return unlinkat(fd, name, 0) == 0 || move_up(owner, fd, name);
}

static bool remove_at_top(int fd, const char *name, void *owner) {
    if (unlinkat(fd, name, 0) == 0)
        return true;
    DIR *dir = open_below(fd, name);
    for_entries(dir, remove_below, owner);
    if (dir)
        closedir(dir);
    return unlinkat(fd, name, AT_REMOVEDIR) == 0;
}

void path_remove(const char *path) {
    struct removal r = {.next = 0};
    if (unlink(path) == 0)
        return;
    DIR *dir = open_below(AT_FDCWD, path);
    if (dir) {
        r.top = dirfd(dir);
        for_entries(dir, remove_at_top, &r);
        closedir(dir);
    }
    rmdir(path);
}

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

// Without waiting, as one would for who writes into a pipe.
static int open_regular(const char *path) {
    struct stat about = {.st_mode = 0};
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)))
        return fd;
    close(fd);
    errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
    return -1;
}

bool path_read(const char *path, size_t most, struct buf *out) {
    char part[65536];
    ssize_t n = 0;
    const size_t before = out->length;
    const int fd = open_regular(path);
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

bool path_read_whole(const char *path, size_t most, struct buf *out, struct err *err) {
    const size_t before = out->length;
    if (!path_read(path, most, out))
        return err_set(err, "cannot read %.300s: %s", path,
                       errno == EINVAL ? "it is no regular file" : strerror(errno));
    return out->length - before <= most ||
           err_set(err, "%.300s is larger than %zu bytes", path, most);
}

// The kernel hands a file that is longer than a piece out in several.
bool path_read_text(int folder, const char *path, char *text, size_t size) {
    assert(size > 1);
    const int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, size - 1) : -1;
    for (ssize_t n = length; n > PIECE_BYTES && (size_t)length < size - 1;) {
        n = read(fd, text + length, size - 1 - (size_t)length);
        length += n > 0 ? n : 0;
    }
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length >= 0;
}

bool path_write_text(const char *path, const char *words) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    const bool good = fd >= 0 && write(fd, words, strlen(words)) == (ssize_t)strlen(words);
    if (fd >= 0)
        close(fd);
    return good;
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

bool path_make_folder(const char *path, struct err *err) {
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           err_set(err, "cannot make the folder %.200s: %s", path, strerror(errno));
}

bool path_ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), n = strlen(end);
    return length > n && strcmp(name + length - n, end) == 0;
}

const char *path_of_program(char path[static PATH_PROGRAM_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", path, PATH_PROGRAM_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return path;
}
