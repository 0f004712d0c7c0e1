// SPDX-License-Identifier: MIT
#include "web/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECRET_BYTES = (SECRET_TEXT_MAX - 1) / 2, FOR_OTHERS = 077 };

bool secret_draw(char text[static SECRET_TEXT_MAX], struct err *err) {
    unsigned char bytes[SECRET_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return err_set(err, "cannot draw a key: %s", strerror(errno));
    for (int i = 0; i < SECRET_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool secret_is_one(const char *text) {
    return strlen(text) == SECRET_TEXT_MAX - 1 &&
           strspn(text, "0123456789abcdef") == SECRET_TEXT_MAX - 1;
}

bool secret_same(const char *a, const char *b) {
    const size_t length = strlen(a);
    unsigned difference = 0;
    if (length == 0 || strlen(b) != length) // the length is no secret
        return false;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)a[i] ^ (unsigned char)b[i];
    return difference == 0;
}

// What is found at a path, once it is open and cannot be changed under us.
static enum secret_file look_at(int fd, const char *path, struct err *err) {
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        err_set(err, "%.300s is no file; remove it", path);
    else if (info.st_uid != geteuid())
        err_set(err, "%.300s belongs to another user; remove it", path);
    else
        return info.st_mode & FOR_OTHERS ? SECRET_SEEN : SECRET_GOOD;
    return SECRET_REFUSED;
}

enum secret_file secret_read(const char *path, size_t most, struct buf *out, struct err *err) {
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char part[4096];
    if (fd < 0 && errno == ENOENT)
        return SECRET_MISSING;
    if (fd < 0) {
        err_set(err, "cannot open %.300s: %s", path,
                errno == ELOOP ? "it is a link; remove it" : strerror(errno));
        return SECRET_REFUSED;
    }
    const enum secret_file found = look_at(fd, path, err);
    for (ssize_t n;
         found == SECRET_GOOD && out->length < most && (n = read(fd, part, sizeof part)) > 0;)
        buf_put(out, part, (size_t)n < most - out->length ? (size_t)n : most - out->length);
    close(fd);
    return found;
}

bool secret_write(const char *path, const void *bytes, size_t size, struct err *err) {
    struct buf fresh = {.data = NULL};
    buf_format(&fresh, "%s.new", path);
    unlink(fresh.data); // of a server that was killed
    const int fd = open(fresh.data, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    const bool good = fd >= 0 && write(fd, bytes, size) == (ssize_t)size && fsync(fd) == 0 &&
                      rename(fresh.data, path) == 0;
    const int error = errno;
    if (fd >= 0)
        close(fd);
    if (!good)
        unlink(fresh.data);
    buf_done(&fresh);
    return good || err_set(err, "cannot write %.300s: %s", path, strerror(error));
}
