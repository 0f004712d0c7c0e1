// SPDX-License-Identifier: MIT
#include "train/trainers.h"

const struct trainer trainers[] = {
    {"connect6", "weights", "the evaluation, from games against itself", connect6_train},
    {"connect6", "worth", "nothing new: plays without each technique", connect6_ablation},
    {"connect6", "book", "nothing new: plays with long thoughts about the first turn",
     connect6_book},
    {"reversi", "weights", "the evaluation, from games against itself", reversi_train},
    {"reversi", "probcut", "how far short searches are from deep ones", reversi_probcut},
    {"reversi", "check", "nothing new: the errors of the weights in the folder", reversi_check},
    {"tower4", "weights", "the evaluation, from games against itself", tower4_train},
    {"tower4", "curve", "nothing new: plays the generations in the folder", tower4_curve},
    {"tower4", "worth", "nothing new: plays without each technique", tower4_ablation},
    {"hopchess", "weights", "the evaluation, from games against itself", hopchess_train},
    {"hopchess", "worth", "nothing new: what the parts of the player and its training are worth",
     hopchess_ablation},
    {"hopchess", "score", "nothing new: what values of the search come to in pieces",
     hopchess_score},
    {NULL, "weights", "what cells and patterns are worth, from games against itself",
     general_train},
};
