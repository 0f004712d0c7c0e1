// SPDX-License-Identifier: MIT
// One game of practice (referee/sitting.h), shown to whoever watches. A game can be broken off and
// gone on with from any of its moves: that is how undo and pause work.
#pragma once

#include "web/game_request.h"
#include "web/shown_game.h"

struct practice {
    struct practice *next;
    const struct services *services;
    struct shown_game shown;
    struct game_request request; // what it is
    struct sitting *sitting;     // NULL until it is begun
    bool leaving;                // we break it off ourselves
    bool over;                   // the players are still to be sent away
    int winner;                  // once it is over
    int64_t idle_us;             // since when it is over or paused
};

// Makes a game by a plan (docs/api.md, POST /api/games) and starts its game.
struct practice *practice_new(const struct services *services, const char *id, const json_t *plan,
                              struct err *err);
void practice_free(struct practice *practice);
// Sends the players away if the game is over.
void practice_clear(struct practice *practice);

// A person's whole turn, moves separated by ';', at a ply: a click that comes too late is refused.
bool practice_move(struct practice *practice, int ply, const char *moves, struct err *err);
// Takes back to the person's last turn.
bool practice_undo(struct practice *practice, struct err *err);
bool practice_pause(struct practice *practice, struct err *err);
bool practice_go_on(struct practice *practice, struct err *err);
// The plan of the next game: the same seats, colours swapped.
json_t *practice_plan_again(const struct practice *practice);
