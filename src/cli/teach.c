// SPDX-License-Identifier: MIT
#include "cli/teach.h"

#include "folder/folder.h"
#include "folder/learned.h"

#include <stdio.h>

bool teach_brain(struct brain *brain, const struct game *game, struct err *err) {
    const struct folder *folder = folder_of(game);
    struct buf weights = {.data = NULL};
    struct err why = {.set = false};
    const bool read = learned_weights(game, &weights, err);
    if (read && weights.length > 0 &&
        !brain_teach(brain, folder->sum, weights.data, weights.length, &why) && why.set)
        fprintf(stderr, "arbiter: %s/%s is not used: %s\n", folder->path, learned_weights_name,
                why.text);
    buf_done(&weights);
    return read;
}
