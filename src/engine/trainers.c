// SPDX-License-Identifier: MIT
#include "engine/connect6/train.h"
#include "engine/reversi/check.h"
#include "engine/reversi/sigma.h"
#include "engine/reversi/train.h"

const struct trainer trainers[] = {
    {"connect6", "weights", "the evaluation, from games against itself", connect6_train},
    {"reversi", "weights", "the evaluation, from games against itself", reversi_train},
    {"reversi", "probcut", "how far short searches are from deep ones", sigma_train},
    {"reversi", "check", "nothing new: the errors of the weights in the folder", check_train},
    {.game = NULL},
};
