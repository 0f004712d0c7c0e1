// SPDX-License-Identifier: MIT
#include "referee/scratch.h"

#include "base/buf.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

void scratch_remove(const char *path) { nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS); }

char *scratch_new(const char *player, struct err *err) {
    const char *temporary = getenv("TMPDIR");
    struct buf path = {.data = NULL};
    if (!temporary || !*temporary)
        temporary = "/tmp";
    buf_format(&path, "%s/arbiter-XXXXXX", temporary);
    if (mkdtemp(path.data))
        return path.data;
    err_set(err, "cannot make a folder for %.100s in %.200s: %s", player, temporary,
            strerror(errno));
    buf_done(&path);
    return NULL;
}
