// SPDX-License-Identifier: MIT
// A contest whose players are handed in by their teams (`handed_in = true`), made one that can be
// run: each of them gets the folder and the PLAYER of what counts of his. Of whom nothing counts
// that he has handed in he is absent, with the reason, and loses his games; who has handed in
// nothing at all takes no part.
#pragma once

#include "base/buf.h"
#include "contest/plan/plan.h"

// What there is of a player: the folder, as the contest file sees it, and the PLAYER; or why none
// of it counts.
struct settle_entry {
    struct buf folder, start, absent;
};

// Fills in the entry of a player, by his place in the plan. False: there is nothing.
typedef bool settle_find(void *owner, int player, struct settle_entry *entry);

// Writes the file of a contest that can be run. False: it cannot be, for the reason that is said.
bool settle_write(const struct plan *draft, settle_find *find, void *owner, struct buf *out,
                  struct err *err);
