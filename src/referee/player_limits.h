// SPDX-License-Identifier: MIT
// How players are kept: how long they may take to start, whether they may think in the opponent's
// turn, how much memory they may have, and how the Python class is shown its board.
#pragma once

#include "base/err.h"
#include "base/json.h"
#include "games/game.h"
#include "link/box.h"
#include "spec/spec.h"

enum { PLAYER_LIMITS_MAX = 4, PLAYER_LIMITS_WORDS = 300 };

struct player_limits {
    int start_s; // seconds from the start until a player must be ready
    enum ponder ponder;
    int64_t memory;  // bytes: of a player, or if it is the organiser's own and the player is not
                     // boxed, of each of its processes; 0: no limit
    bool memory_own; // the organiser has said it; else it is what the game's contest gives
    int64_t memory_asked;  // what that was, if the machine has less; else 0
    int trail;             // blanks behind a stack of cups (docs/protocol.md, C.2)
    const struct box *box; // in which players run; borrowed; NULL: none
};

// What players have to share.
struct player_limits_room {
    const struct game *game;
    int64_t memory; // bytes of the machine
    int players;    // of a game that are not our own
    int games;      // that shall be played at once
};

// As the game's contest has them.
void player_limits_init(struct player_limits *limits, const struct game *game);
// Whether a key is one of these.
bool player_limits_has(const char *key);
// Changes one, or says what is accepted.
bool player_limits_set(struct player_limits *limits, const struct game *game, const char *key,
                       const char *value, struct err *err);
// Adds them to the settings of a record, and reads them there.
void player_limits_put(const struct player_limits *limits, const struct game *game,
                       json_t *settings);
bool player_limits_take(struct player_limits *limits, const struct game *game,
                        const json_t *settings, struct err *err);
// So many players and games on this machine.
struct player_limits_room player_limits_here(const struct game *game, int players, int games);
// How many games of `games` can be played at once, if in each so many players may have their
// memory, and the machine has so much. A limit that the organiser has set himself is not changed:
// it holds in a box alone, and if it does not fit there it is an error, and the answer 0. The
// contest's own takes fewer games, and if one does not fit what there is; `words` tells of it, else
// it is "".
int player_limits_fit(struct player_limits *limits, const struct player_limits_room *room,
                      char words[static PLAYER_LIMITS_WORDS], struct err *err);
// The keys that a game has; returns how many.
int player_limits_keys(const struct game *game, const char *list[static PLAYER_LIMITS_MAX]);
