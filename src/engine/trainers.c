// SPDX-License-Identifier: MIT
#include "engine/connect6/train.h"
#include "engine/connect6/worth.h"
#include "engine/hopchess/hopduel.h"
#include "engine/hopchess/hopscore.h"
#include "engine/hopchess/hoptrain.h"
#include "engine/reversi/check.h"
#include "engine/reversi/sigma.h"
#include "engine/reversi/train.h"
#include "engine/tower4/train.h"
#include "engine/tower4/worth.h"

const struct trainer trainers[] = {
    {"connect6", "weights", "the evaluation, from games against itself", connect6_train},
    {"connect6", "worth", "nothing new: plays without each technique", connect6_worth},
    {"connect6", "book", "nothing new: plays with long thoughts about the first turn",
     connect6_book},
    {"reversi", "weights", "the evaluation, from games against itself", reversi_train},
    {"reversi", "probcut", "how far short searches are from deep ones", sigma_train},
    {"reversi", "check", "nothing new: the errors of the weights in the folder", check_train},
    {"tower4", "weights", "the evaluation, from games against itself", tower4_train},
    {"tower4", "curve", "nothing new: plays the generations in the folder", tower4_curve},
    {"tower4", "worth", "nothing new: plays without each technique", tower4_worth},
    {"hopchess", "weights", "the evaluation, from games against itself", hopchess_train},
    {"hopchess", "worth", "nothing new: what the parts of the player and its training are worth",
     hopchess_worth},
    {"hopchess", "score", "nothing new: what values of the search come to in pieces",
     hopchess_score},
    {.game = NULL},
};
