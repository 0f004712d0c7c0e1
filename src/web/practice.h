// SPDX-License-Identifier: MIT
// One game of practice (referee/sitting.h), shown to whoever watches. A game can be broken off and
// gone on with from any of its moves: that is how undo and pause work, and how it outlives the
// server. It belongs to those who hold its seats: who made it, and who took the free one.
#pragma once

#include "web/game_request.h"
#include "web/secret.h"
#include "web/shown_game.h"

// Who asks for something.
struct practice_asker {
    const char *token;   // by which a browser holds its seats
    const char *address; // that it comes from
    bool organiser;      // has the key
};

struct practice {
    struct practice *next;
    const struct services *services;
    struct shown_game shown;
    struct game_request request;     // what it is
    json_t *plan;                    // by which it was made
    char holder[2][SECRET_TEXT_MAX]; // whose a seat is; "": nobody's, or no person's
    int free_seat;                   // waits for a person who takes it: 1 or 2; 0: none does
    bool of_visitor;                 // was made without the key
    uint32_t address;                // by whom
    struct sitting *sitting;         // NULL until it is begun
    struct log *log;                 // where a player is not ours; NULL: none
    bool leaving;                    // we break it off ourselves
    bool over;                       // the players are still to be sent away
    bool left;                       // nobody plays it any more: it is not kept
    bool stale;                      // how it stands is still to be written to its file
    int winner;                      // once it is over
    int64_t idle_us;                 // since when it is over or paused
    bool attended;                   // one of its players has looked at it since the last sweep
    int64_t seen_us;                 // when one did last
};

// Makes a game by a plan (docs/api.md, POST /api/games) and starts its game.
struct practice *practice_new(const struct services *services, const char *id, const json_t *plan,
                              const struct practice_asker *maker, struct err *err);
// How it stands, with whose the seats are, and a game that is gone on with from there: at its move,
// or from its beginning where a player cannot be told of the moves before.
json_t *practice_save(const struct practice *practice);
struct practice *practice_resume(const struct services *services, const char *id,
                                 const json_t *saved, struct err *err);
void practice_free(struct practice *practice);
// Sends the players away if the game is over.
void practice_clear(struct practice *practice);

// For which seats somebody may act: 1 for the first, 2 for the second, 3 for both. The organiser
// may for those that he holds, and where he holds none for both, if the game was made with the key.
int practice_seats(const struct practice *practice, const struct practice_asker *asker);
// Whether a person plays in it.
bool practice_has_person(const struct practice *practice);
bool practice_has_engine(const struct practice *practice); // or a program of somebody's
// Takes the seat that is free; the game begins.
bool practice_sit(struct practice *practice, const struct practice_asker *asker, const char *name,
                  struct err *err);

// What is done for seats, one or both.
// A person's whole turn, moves separated by ';', at a ply: a click that comes too late is refused.
bool practice_move(struct practice *practice, int seats, int ply, const char *moves,
                   struct err *err);
// Takes back to the person's last turn.
bool practice_undo(struct practice *practice, int seats, struct err *err);
bool practice_pause(struct practice *practice, int seats, struct err *err);
bool practice_go_on(struct practice *practice, int seats, struct err *err);
bool practice_resign(struct practice *practice, int seats, struct err *err);
// Offers a draw, or agrees to the one that is offered; or turns down what is offered.
bool practice_draw(struct practice *practice, int seats, struct err *err);
bool practice_decline(struct practice *practice, int seats, struct err *err);
// Nobody plays it any more. False: it is not being played, and may be removed as it is.
bool practice_leave(struct practice *practice);
// Another game is wanted: true once all who must want it do.
bool practice_want_again(struct practice *practice, int seats);
// The plan of the next game: the same seats, colours swapped.
json_t *practice_plan_again(const struct practice *practice);
