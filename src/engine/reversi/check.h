// SPDX-License-Identifier: MIT
// How near the weights of each generation come to the truth.
#pragma once

#include "engine/train.h"

// Solves positions of games against itself and says the error of all weights in the folder of a
// training. `games` of the training are positions. As of a trainer.
bool check_train(const struct training *training, struct err *err);
