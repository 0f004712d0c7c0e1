// SPDX-License-Identifier: MIT
#include "engine/train.h"

const struct trainer trainers[] = {
    {.game = NULL},
};
