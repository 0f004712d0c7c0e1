// SPDX-License-Identifier: MIT
// What the parts of the server use of each other: games of practice, contests, tasks.
#pragma once

#include "base/embed.h"
#include "base/json.h"
#include "link/box.h"
#include "referee/lobby.h"
#include "web/game_archive.h"
#include "web/journal.h"
#include "web/live.h"

enum { GAME_ID_MAX = 24 }; // of games and contests, in addresses

struct services {
    struct loop *loop;
    struct lobby *lobby; // NULL: no teams
    struct live *live;
    struct game_archive *archive;
    struct journal *journal;
    struct box *box; // found by services_box
    struct restart_state *restart;
    const char *players; // the folder of players,
    const char *logs;    // and of the logs of games
    const char *program;
    const struct embed *kits;                     // kit_files
    void (*changed)(void *owner);                 // what a list of games shows of one
    void (*note)(void *owner, const char *words); // for the terminal
    // Whether a team that comes by itself may be seated; an error says why not.
    bool (*spares)(void *owner, int32_t team, struct err *err);
    void *owner;
};

static inline void services_changed(const struct services *s) { s->changed(s->owner); }

// The box for players that are not ours, looked for when it is needed first; NULL: there is none
// here, which is said.
const struct box *services_box(const struct services *services);
// Says on the terminal what went wrong, if anything did.
void services_note(const struct services *services, const struct err *err);
// A game for the log of the platform, with who plays; what is not known is NULL or "".
struct logged_game {
    const char *id, *game;
    const char *player[2], *name[2]; // as in docs/api.md, black first
};
// Logs what has happened to it.
__attribute__((format(printf, 3, 4))) void services_log_game(const struct services *services,
                                                             const struct logged_game *game,
                                                             const char *format, ...);
// Keeps a game that has ended.
void services_keep(const struct services *services, const char *id, const json_t *record);
