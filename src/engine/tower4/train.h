// SPDX-License-Identifier: MIT
// Training of the evaluation of tower4.
#pragma once

#include "engine/train.h"

// Leaves weights-N.bin for each generation N in the folder; the last is the best. As of a trainer.
bool tower4_train(const struct training *training, struct err *err);
