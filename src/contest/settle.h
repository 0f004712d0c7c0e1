// SPDX-License-Identifier: MIT
// A contest whose players are handed in by their teams (`handed_in = true`), made one that can be
// run: each of them gets the folder and the PLAYER of what counts of his. Who has handed in nothing
// that counts takes no part.
#pragma once

#include "base/buf.h"
#include "contest/plan.h"

// What counts of a player, by his place in the plan: adds the folder, as the contest file sees it,
// and the PLAYER. False: there is nothing.
typedef bool settle_find(void *owner, int player, struct buf *folder, struct buf *start);

// Writes the file of a contest that can be run. False: it cannot be, for the reason that is said.
bool settle_write(const struct plan *draft, settle_find *find, void *owner, struct buf *out,
                  struct err *err);
