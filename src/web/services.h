// SPDX-License-Identifier: MIT
// What the parts of the server use of each other: games of practice, contests, tasks.
#pragma once

#include "base/embed.h"
#include "base/json.h"
#include "referee/lobby.h"
#include "web/live.h"

enum { GAME_ID_MAX = 24 }; // of games and contests, in addresses

struct services {
    struct loop *loop;
    struct lobby *lobby; // NULL: no teams
    struct live *live;
    const char *players; // the folder of players
    const char *program;
    const struct embed *kits; // kit_files
    // A game has ended; borrows the record.
    void (*ended)(void *owner, const char *id, const json_t *record);
    void (*changed)(void *owner); // what a list of games shows of one
    // Whether a team that comes by itself may be seated; an error says why not.
    bool (*spares)(void *owner, int32_t team, struct err *err);
    void *owner;
};
