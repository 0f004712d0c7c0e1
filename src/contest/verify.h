// SPDX-License-Identifier: MIT
// Whether the games of a contest are what their records say, and the records what was written.
#pragma once

#include "contest/plan/plan.h"
#include "store/store.h"

struct verification {
    bool deeply; // each game is also played again by the rules (audit.h)
    void (*each)(void *owner, int64_t number, const char *words); // one that is wrong, and how
    void *owner;
    int64_t games, records, wrong; // filled in: how many there are
};

// Looks at all games of a contest.
bool verify_games(const struct plan *plan, struct store *store, struct verification *verification,
                  struct err *err);
// Whether the text of a record is as it was written.
bool verify_record(const char *text);
// What a reader must know before he is shown anything of a store that nobody answers for
// (store_vouch): an error, if one game or the table is not as its records say.
bool verify_shown(const struct plan *plan, struct store *store, struct err *err);
