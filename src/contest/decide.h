// SPDX-License-Identifier: MIT
// What the organiser decides of a contest that has begun: a game is annulled or played again, a
// player withdraws or is disqualified; and each is taken back.
#pragma once

#include "contest/plan/plan.h"
#include "store/store.h"

struct ruling {
    const char *kind;    // one that decide_about knows
    const char *subject; // the number of a game, or the name of a player
    const char *why;     // read by everybody; not empty
    const char *by;      // who has decided, or ""
};

enum { RULING_WHY_MAX = 500, RULING_BY_MAX = 60 }; // bytes

// What a ruling of this kind is about, "GAME" or "PLAYER"; NULL: there is no such kind.
const char *decide_about(const char *kind);
// Keeps a ruling in the store, if it can still have its effect; `words` says what follows of it.
bool decide(const struct plan *plan, struct store *store, const struct ruling *ruling,
            struct buf *words, struct err *err);
