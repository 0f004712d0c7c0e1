// SPDX-License-Identifier: MIT
#include "engine/reversi/train.h"
#include "engine/tower4/train.h"

const struct trainer trainers[] = {
    {"reversi", "weights", "the evaluation, from games against itself", reversi_train},
    {"tower4", "weights", "the evaluation, from games against itself", tower4_train},
    {.game = NULL},
};
