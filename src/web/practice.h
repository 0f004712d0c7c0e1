// SPDX-License-Identifier: MIT
// One game of practice: two seats at a real table (referee/table.h), shown to whoever watches. A
// game can be broken off and gone on with from any of its moves: that is how undo and pause work.
#pragma once

#include "base/embed.h"
#include "games/game.h"
#include "link/loop.h"
#include "referee/conditions.h"
#include "referee/table.h"
#include "web/live.h"
#include "web/seat.h"

enum { PRACTICE_ID_MAX = 24 };

#define PRACTICE_STATES(X)                                                                         \
    X(STARTING, "starting") X(RUNNING, "running") X(PAUSED, "paused") X(OVER, "over")

enum practice_state {
#define PRACTICE_STATE_CONSTANT(id, word) PRACTICE_##id,
    PRACTICE_STATES(PRACTICE_STATE_CONSTANT)
#undef PRACTICE_STATE_CONSTANT
};

// What games of practice share.
struct practice_shared {
    struct loop *loop;
    struct lobby *lobby; // NULL: no teams
    const struct live *live;
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

struct practice {
    struct practice *next;
    const struct practice_shared *shared;
    char id[PRACTICE_ID_MAX], next_id[PRACTICE_ID_MAX]; // and of the game that follows it; "": none
    enum practice_state state;
    const struct game *game;
    struct seat seat[2]; // black, white
    struct conditions conditions;
    struct player_limits limits;
    struct match_config config;
    uint64_t seed;
    bool people_timed;
    char *opening;
    struct table *table, *old; // `old` is over and freed by practice_tick
    json_t *moves, *ms;        // of the game so far
    int awaits;                // whose answer is due; 0: nobody's
    int64_t since_us;          // since when
    int ask_id[2], ask_due[2]; // what a person was asked; 0: nothing
    bool leaving;              // we break it off ourselves
    json_t *result;            // once it is over
    int tally[2], number;      // of the games before it, by the colours of this one
    int64_t idle_us;           // since when it is over or paused
    struct topic topic;
};

// Makes a game by a plan (docs/api.md, POST /api/games) and starts its game.
struct practice *practice_new(const struct practice_shared *shared, const char *id,
                              const json_t *plan, struct err *err);
void practice_free(struct practice *practice);
// To be called ten times a second.
void practice_tick(struct practice *practice, int64_t now_us);

// A person's whole turn, moves parted by ';', at a ply: a click that comes too late is refused.
bool practice_move(struct practice *practice, int ply, const char *moves, struct err *err);
// Takes back to the person's last turn.
bool practice_undo(struct practice *practice, struct err *err);
bool practice_pause(struct practice *practice, struct err *err);
bool practice_go_on(struct practice *practice, struct err *err);
// The plan of the next game: the same seats, colours swapped.
json_t *practice_plan_again(const struct practice *practice);
// All there is to know of it, as JSON.
json_t *practice_json(const struct practice *practice);
json_t *practice_summary(const struct practice *practice);
