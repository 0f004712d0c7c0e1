// SPDX-License-Identifier: MIT
// What the parts of the tower4 engine are worth, by games with the same nodes. Trainers that leave
// nothing but their results; these are kept in the folder, so that a run goes on.
#pragma once

#include "engine/train.h"

// The search against itself without one of its techniques, for each of them.
bool tower4_worth(const struct training *training, struct err *err);
// Each generation of weights in a folder of tower4_train against the one before.
bool tower4_curve(const struct training *training, struct err *err);
