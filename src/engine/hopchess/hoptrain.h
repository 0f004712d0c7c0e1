// SPDX-License-Identifier: MIT
// Training of the evaluation of hopchess.
#pragma once

#include "engine/train.h"

// Leaves weights-N.bin for each generation N in the folder; the last is the best. As of a trainer.
bool hopchess_train(const struct training *training, struct err *err);
