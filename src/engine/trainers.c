// SPDX-License-Identifier: MIT
#include "engine/connect6/train.h"
#include "engine/train.h"

const struct trainer trainers[] = {
    {"connect6", "weights", "the evaluation, from games against itself", connect6_train},
    {.game = NULL},
};
