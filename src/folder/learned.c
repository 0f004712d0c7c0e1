// SPDX-License-Identifier: MIT
#include "folder/learned.h"

#include "base/path.h"
#include "folder/folder.h"

#include <stdio.h>
#include <unistd.h>

enum { PATH_SIZE = 4600, WEIGHTS_MAX = 4 << 20 };

const char learned_weights_name[] = "weights.bin";

bool learned_weights(const struct game *game, struct buf *out, struct err *err) {
    const struct folder *folder = folder_of(game);
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/%s", folder ? folder->path : "", learned_weights_name);
    return !folder || access(path, F_OK) != 0 || path_read_whole(path, WEIGHTS_MAX, out, err);
}

bool learned_rungs(const struct game *game, struct rungs *rungs, struct err *err) {
    const struct folder *folder = folder_of(game);
    struct buf text = {.data = NULL};
    struct err why = {.set = false};
    char path[PATH_SIZE];
    rungs_find(rungs, folder ? "" : game->name);
    snprintf(path, sizeof path, "%.4000s/rungs.txt", folder ? folder->path : "");
    if (!folder || access(path, F_OK) != 0)
        return true;
    const bool good = path_read_whole(path, RUNGS_TEXT_MAX, &text, &why) &&
                      rungs_read(rungs, text.data ? text.data : "", text.length, &why);
    buf_done(&text);
    return good || err_set(err, "%.200s: %s", path, why.text);
}
