// SPDX-License-Identifier: MIT
#include "engine/reversi/train.h"

const struct trainer trainers[] = {
    {"reversi", "weights", "the evaluation, from games against itself", reversi_train},
    {.game = NULL},
};
