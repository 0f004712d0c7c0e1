// SPDX-License-Identifier: MIT
// What a built-in player can be told, besides its game: by those who start one, and on its own
// command line. It stands in base because neither may include the engine, nor each other.
#pragma once

#include "base/err.h"
#include "base/level.h"

#include <stdint.h>

struct builtin {
    enum level level;
    int64_t nodes, threads; // 0: not said
    int64_t misses;         // percent of the legal moves; 0: as its rung says
    bool general;           // by the general engine, also where the game has one of its own
    bool untaught;          // without what was learned of a game that was added
};

// The strongest, nothing else said.
void builtin_init(struct builtin *builtin);
// Whether it can be told this.
bool builtin_has(const char *key);
// Whether this is said without a value.
bool builtin_is_word(const char *key);
// Sets `level`, `nodes`, `threads`, `misses` or, with the value NULL, `general` or `untaught`; or
// says what is accepted.
bool builtin_set(struct builtin *builtin, const char *key, const char *value, struct err *err);
// Whether a text names a built-in player by its level alone, as it is shown: random, builtin,
// builtin:LEVEL.
bool builtin_is_name(const char *text);
