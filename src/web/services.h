// SPDX-License-Identifier: MIT
// What the parts of the server use of each other: games of practice, contests, tasks.
#pragma once

#include "base/embed.h"
#include "base/json.h"
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
    struct restart_state *restart;
    const char *players; // the folder of players
    const char *program;
    const struct embed *kits;                     // kit_files
    void (*changed)(void *owner);                 // what a list of games shows of one
    void (*note)(void *owner, const char *words); // for the terminal
    // Whether a team that comes by itself may be seated; an error says why not.
    bool (*spares)(void *owner, int32_t team, struct err *err);
    void *owner;
};

static inline void services_changed(const struct services *s) { s->changed(s->owner); }

// Says on the terminal what went wrong, if anything did.
static inline void services_note(const struct services *s, const struct err *err) {
    if (err->set)
        s->note(s->owner, err->text);
}

// Keeps a game that has ended.
static inline void services_keep(const struct services *s, const char *id, const json_t *record) {
    struct err err = {.set = false};
    const char *reason = json_string_value(json_object_get(record, "reason"));
    const json_t *winner = json_object_get(record, "winner");
    journal_write(s->journal, "game %s is over: %s, %s", id,
                  json_integer_value(winner) == 1   ? "black wins"
                  : json_integer_value(winner) == 2 ? "white wins"
                                                    : "nobody wins",
                  reason ? reason : "");
    game_archive_put(s->archive, id, record, &err);
    services_note(s, &err);
}
