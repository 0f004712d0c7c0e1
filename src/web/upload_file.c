// SPDX-License-Identifier: MIT
#include "web/upload_file.h"

#include "base/fds.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct upload_file {
    int fd;
    size_t length;
    void *map; // NULL: none
};

struct upload_file *upload_file_new(const char *folder, struct err *err) {
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/upload-XXXXXX", folder);
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        err_set(err, "cannot write %.300s: %s", folder, strerror(errno));
        return NULL;
    }
    unlink(path);
    struct upload_file *u = mem_new(1, sizeof *u);
    *u = (struct upload_file){.fd = fd};
    return u;
}

bool upload_file_put(struct upload_file *u, const void *bytes, size_t length) {
    assert(!u->map); // whoever reads it has all of it
    const bool good = fds_write(u->fd, bytes, length);
    u->length += good ? length : 0;
    return good;
}

const void *upload_file_bytes(struct upload_file *u, size_t *length) {
    *length = u->length;
    if (u->length == 0)
        return "";
    if (!u->map) {
        void *map = mmap(NULL, u->length, PROT_READ, MAP_PRIVATE, u->fd, 0);
        u->map = map == MAP_FAILED ? NULL : map;
    }
    return u->map;
}

void upload_file_free(struct upload_file *u) {
    if (!u)
        return;
    if (u->map)
        munmap(u->map, u->length);
    close(u->fd);
    free(u);
}
