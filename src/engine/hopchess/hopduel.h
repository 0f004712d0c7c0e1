// SPDX-License-Identifier: MIT
// What the parts of the hopchess engine are worth, by games between the whole and less than it.
#pragma once

#include "engine/train.h"

// Plays against itself without each skill of hunt.h, and the weights of each generation in the
// folder against those before, with the same nodes for both; says who got how many points. As of a
// trainer.
bool hopchess_worth(const struct training *training, struct err *err);
