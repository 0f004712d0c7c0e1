// SPDX-License-Identifier: MIT
// What the parts of the connect6 player are worth, by games between the whole and less than it.
#pragma once

#include "engine/train.h"

// Plays against itself without each skill of search.h, with the same nodes for both; and with each
// that is not used; and with a long thought about the first turn, as a book would hold. Says who
// got how many points. As of a trainer.
bool connect6_worth(const struct training *training, struct err *err);
