// SPDX-License-Identifier: MIT
// How players are kept: how long they may take to start, whether they may think in the opponent's
// turn, how much memory they may have, and how the Python class is shown its board.
#pragma once

#include "base/err.h"
#include "base/json.h"
#include "games/game.h"
#include "link/box.h"

#define PONDERS(X) X(ALLOW, "allow") X(REPORT, "report") X(FREEZE, "freeze")

enum ponder {
#define PONDER_CONSTANT(id, word) PONDER_##id,
    PONDERS(PONDER_CONSTANT)
#undef PONDER_CONSTANT
};

enum { TERMS_MAX = 4 };

struct terms {
    int start_s; // seconds from the start until a player must be ready
    enum ponder ponder;
    int64_t memory; // bytes: of a player, or unless boxed of each process of his; 0: no limit
    int trail;      // blanks behind a stack of cups (docs/protocol.md, C.2)
    const struct box *box; // in which players run; borrowed; NULL: none
};

// As the game's contest has them.
void terms_init(struct terms *terms, const struct game *game);
// Whether a key is one of these.
bool terms_has(const char *key);
// Changes one, or says what is accepted.
bool terms_set(struct terms *terms, const struct game *game, const char *key, const char *value,
               struct err *err);
// Adds them to the settings of a record, and reads them there.
void terms_put(const struct terms *terms, const struct game *game, json_t *settings);
bool terms_take(struct terms *terms, const struct game *game, const json_t *settings,
                struct err *err);
// The keys that a game has; returns how many.
int terms_keys(const struct game *game, const char *list[static TERMS_MAX]);
