// SPDX-License-Identifier: MIT
// What the module of a folder says of its game: the facts of struct game as lines of text, which
// lie beside the module. They are strangers' words, and are held against the bounds here.
#pragma once

#include "base/err.h"
#include "games/game.h"

enum {
    FACTS_MAX = 65536,       // bytes of the text
    FACTS_NAME_MAX = 32,     // of a game's name, with its NUL
    FACTS_SIDE_MAX = 64,     // of a board
    FACTS_MOVES_MAX = 16384, // in a position
    FACTS_PLIES_MAX = 10000,
    FACTS_ENDINGS_MAX = 32,
};

// A name that a game can have: small letters, digits and _, a letter first.
bool facts_is_name(const char *name);

// What the facts of a game point to. Zeroed by its owner, who calls facts_done.
struct facts {
    char *text;
    struct rule rules[GAME_RULES_MAX];
    struct ending endings[FACTS_ENDINGS_MAX];
};

// Fills in the facts of a game, not its functions.
bool facts_read(struct facts *facts, const char *text, struct game *game, struct err *err);
void facts_done(struct facts *facts);
