// SPDX-License-Identifier: MIT
// Plays the waiting games of contests: claims them in the store, plays so many at once, each in a
// process of its own (contest/play.h), and keeps each result before it claims the next game.
// Nothing here waits for games; the owner watches dispatch_fd and calls dispatch_work. A dispatcher
// borrows its store and plans.
#pragma once

#include "base/json.h"
#include "contest/play.h"

struct dispatch;
struct embed;
struct state;

struct dispatch_options {
    int jobs, cores;          // games at once (0: it plays none), cores for each
    int64_t lease_us;         // after so long without a word from us a game is anybody's
    const char *program;      // of the built-in players: this one
    const struct box *box;    // in which the others run; borrowed; NULL: none
    const struct embed *kits; // kit_files, for players' folders; NULL: none
    bool is_home;             // games with a team that is awaited come here
    bool live;                // tell of every move
    bool lent; // the owner has the judge's port, and sends the teams on of which it is told
};

// What is told of contests, here and by whoever runs one (runner.h). Any may be NULL but `note`.
// What is handed over is valid until the callback returns.
struct dispatch_events {
    void (*began)(void *owner, const struct stored_game *game);
    // If live: what its players call themselves, {"names", "departments"}; and its moves.
    void (*named)(void *owner, int64_t number, const json_t *told);
    void (*moved)(void *owner, int64_t number, int ply, const char *move);
    void (*ended)(void *owner, const struct stored_game *game);
    void (*team)(void *owner, int team, int port); // is awaited at a port of this machine, if lent
    void (*changed)(void *owner, const struct state *state); // by the runner: results from anywhere
    void (*note)(void *owner, const char *words);
    bool (*stop)(void *owner); // asked while players are built: whether to break that off
};

// What it has cost so far.
struct dispatch_times {
    int games, most;                   // in all, and at once
    int64_t start_us, play_us, end_us; // processes starting (the game's and its players'), games,
                                       // processes ending
    int64_t rest_us; // claiming games, keeping results, and all else while there was work
};

struct dispatch *dispatch_new(struct store *store, const struct dispatch_options *options,
                              const struct dispatch_events *events, void *owner, struct err *err);
// Plays for this contest too, from now on. Makes its players ready first.
bool dispatch_add(struct dispatch *dispatch, const struct plan *plan, struct err *err);
const char *dispatch_name(const struct dispatch *dispatch);
int dispatch_fd(const struct dispatch *dispatch);
// Hears of games, keeps results, renews claims, and if `more` claims games. False
// when it cannot go on.
bool dispatch_work(struct dispatch *dispatch, bool more, struct err *err);
int dispatch_busy(const struct dispatch *dispatch);
int dispatch_ended(const struct dispatch *dispatch); // how many games have ended here so far
// Whether another game could be begun, and the last claim has found nothing.
bool dispatch_is_idle(const struct dispatch *dispatch);
struct dispatch_times dispatch_times(const struct dispatch *dispatch);
// Gives back what is still played.
void dispatch_free(struct dispatch *dispatch);
