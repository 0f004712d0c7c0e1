// SPDX-License-Identifier: MIT
// What the parts of the connect6 player are worth, by games between the whole and less than it.
#pragma once

#include "engine/train.h"

// Plays against itself without each skill of search.h, with the same nodes for both. Says who got
// how many points. As of a trainer.
bool connect6_worth(const struct training *training, struct err *err);
// What a small book could be worth where it could be used, after one stone and without blocks: no
// more than an answer thought of with many nodes. Plays with such a thought against without. As of
// a trainer.
bool connect6_book(const struct training *training, struct err *err);
