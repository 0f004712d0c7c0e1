// SPDX-License-Identifier: MIT
#include "folder/learned.h"

#include "base/path.h"
#include "folder/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4600, WEIGHTS_MAX = 4 << 20 };

const char learned_weights_name[] = "weights.bin";

bool learned_weights(const struct game *game, struct buf *out, struct err *err) {
    const struct folder *folder = folder_of(game);
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/%s", folder ? folder->path : "", learned_weights_name);
    if (!folder || access(path, F_OK) != 0)
        return false;
    if (!path_read(path, WEIGHTS_MAX, out))
        return err_set(err, "it cannot be read: %s",
                       errno == EINVAL ? "it is no regular file" : strerror(errno));
    return out->length <= WEIGHTS_MAX || err_set(err, "it is larger than %d bytes", WEIGHTS_MAX);
}

// Reads those of a folder, where it has some: `rungs` stays if not.
static bool read_rungs(const char *folder, struct rungs *rungs, struct err *err) {
    struct buf text = {.data = NULL};
    struct err why = {.set = false};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/rungs.txt", folder);
    if (access(path, F_OK) != 0)
        return true;
    const bool good = path_read_whole(path, RUNGS_TEXT_MAX, &text, &why) &&
                      rungs_read(rungs, text.data ? text.data : "", text.length, &why);
    buf_done(&text);
    return good || err_set(err, "%.200s: %s", path, why.text);
}

bool learned_check_rungs(const char *folder, struct err *err) {
    struct rungs rungs;
    return read_rungs(folder, &rungs, err);
}

bool learned_rungs(const struct game *game, struct rungs *rungs, struct err *err) {
    const struct folder *folder = folder_of(game);
    rungs_find(rungs, folder ? "" : game->name);
    if (!folder || read_rungs(folder->path, rungs, err))
        return true;
    rungs_find(rungs, "");
    return false;
}
