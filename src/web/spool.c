// SPDX-License-Identifier: MIT
#include "web/spool.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct spool {
    int fd;
    size_t length;
    void *map; // NULL: none
};

struct spool *spool_new(const char *folder, struct err *err) {
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/upload-XXXXXX", folder);
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        err_set(err, "cannot write %.300s: %s", folder, strerror(errno));
        return NULL;
    }
    unlink(path);
    struct spool *spool = mem_new(1, sizeof *spool);
    *spool = (struct spool){.fd = fd};
    return spool;
}

bool spool_put(struct spool *spool, const void *bytes, size_t length) {
    for (const char *at = bytes; length > 0;) {
        const ssize_t written = write(spool->fd, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        length -= (size_t)written;
        spool->length += (size_t)written;
    }
    return true;
}

const void *spool_bytes(struct spool *spool, size_t *length) {
    *length = spool->length;
    if (spool->length == 0)
        return "";
    if (!spool->map) {
        void *map = mmap(NULL, spool->length, PROT_READ, MAP_PRIVATE, spool->fd, 0);
        spool->map = map == MAP_FAILED ? NULL : map;
    }
    return spool->map;
}

void spool_free(struct spool *spool) {
    if (!spool)
        return;
    if (spool->map)
        munmap(spool->map, spool->length);
    close(spool->fd);
    free(spool);
}
