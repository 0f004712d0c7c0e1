// SPDX-License-Identifier: MIT
#include "cli/teach.h"

#include "folder/folder.h"
#include "folder/learned.h"

bool teach_brain(struct brain *brain, const struct game *game, struct err *err) {
    struct buf weights = {.data = NULL};
    struct err why = {.set = false};
    if (brain_engine(brain) && learned_weights(game, &weights, &why))
        brain_teach(brain, folder_of(game)->sum, weights.data ? weights.data : "", weights.length,
                    &why);
    buf_done(&weights);
    return !why.set || err_set(err, "%.300s/%s is not used: %.180s", folder_of(game)->path,
                               learned_weights_name, why.text);
}
