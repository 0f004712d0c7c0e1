// SPDX-License-Identifier: MIT
// Those who play the waiting games of contests: they claim games in the store, play them in a hall,
// and keep each result before they take the next game. Nothing here waits for games; the owner
// watches staff_fd and calls staff_work. A staff borrows its store and plans.
#pragma once

#include "contest/hall.h"

struct staff;

struct embed;

struct staff_options {
    int jobs, cores;          // games at once (0: it plays none), cores for each
    int64_t lease_us;         // after so long without a word from us a game is anybody's
    const char *program;      // of the built-in players: this one
    const struct box *box;    // in which the others run; borrowed; NULL: none
    const struct embed *kits; // kit_files, for players' folders; NULL: none
    bool is_home;             // games with a team that is awaited come here
    bool live;                // tell of every move
    bool lent; // the owner has the judge's port, and sends the teams on of which he is told
};

// The game's texts are valid until the callback returns. Any may be NULL but `note`.
struct staff_events {
    void (*began)(void *owner, const struct plan *plan, const struct stored_game *game);
    void (*moved)(void *owner, const struct plan *plan, int64_t number, int ply, const char *move);
    // A team is awaited at a port of this machine.
    void (*team)(void *owner, const struct plan *plan, int team, int port);
    void (*ended)(void *owner, const struct plan *plan, const struct stored_game *game);
    void (*note)(void *owner, const char *words);
    bool (*stop)(void *owner); // asked while players are built: whether to break that off
};

// What it has cost so far.
struct staff_times {
    int games, most;                   // in all, and at once
    int64_t start_us, play_us, end_us; // processes starting (the game's and its players'), games,
                                       // processes ending
    int64_t rest_us; // claiming games, keeping results, and all else while a table had work
};

struct staff *staff_new(struct store *store, const struct staff_options *options,
                        const struct staff_events *events, void *owner, struct err *err);
// Plays for this contest too, from now on. Makes its players ready first.
bool staff_add(struct staff *staff, const struct plan *plan, struct err *err);
const char *staff_name(const struct staff *staff);
int staff_fd(const struct staff *staff);
// Hears of games, keeps results, renews claims, and if `more` claims games for free tables. False
// when it cannot go on.
bool staff_work(struct staff *staff, bool more, struct err *err);
int staff_busy(const struct staff *staff);
// Whether a table is free, and the last claim has found nothing.
bool staff_is_idle(const struct staff *staff);
struct staff_times staff_times(const struct staff *staff);
// Gives back what is still played.
void staff_free(struct staff *staff);
