// SPDX-License-Identifier: MIT
#include "engine/hopchess/hopduel.h"
#include "engine/hopchess/hoptrain.h"
#include "engine/reversi/check.h"
#include "engine/reversi/sigma.h"
#include "engine/reversi/train.h"

const struct trainer trainers[] = {
    {"reversi", "weights", "the evaluation, from games against itself", reversi_train},
    {"reversi", "probcut", "how far short searches are from deep ones", sigma_train},
    {"reversi", "check", "nothing new: the errors of the weights in the folder", check_train},
    {"hopchess", "weights", "the evaluation, from games against itself", hopchess_train},
    {"hopchess", "worth", "nothing new: what the parts of the player and its training are worth",
     hopchess_worth},
    {.game = NULL},
};
