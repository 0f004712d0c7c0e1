// SPDX-License-Identifier: MIT
// Runs a contest: plans its games, plays them here, and takes in what workers elsewhere have
// played. Nothing here waits; whoever has a loop watches runner_fd and calls runner_work when it
// can be read. A runner borrows its plan and store; a contest that was begun is continued.
#pragma once

#include "contest/staff.h"
#include "contest/state.h"

struct runner;

// Any may be NULL but `note`. What is handed over is valid until the callback returns.
struct runner_events {
    void (*began)(void *owner, const struct stored_game *game);            // here
    void (*moved)(void *owner, int64_t number, int ply, const char *move); // here, if live
    void (*ended)(void *owner, const struct stored_game *game);            // here
    void (*team)(void *owner, int team, int port); // is awaited at a port of this machine, if lent
    void (*changed)(void *owner, const struct state *state); // new results, from anywhere
    void (*note)(void *owner, const char *words);
    bool (*stop)(void *owner); // asked while players are built: whether to break that off
};

// `base` is the folder that players' folders are seen from.
struct runner *runner_new(const struct plan *plan, const char *base, struct store *store,
                          const struct staff_options *options, const struct runner_events *events,
                          void *owner, struct err *err);
int runner_fd(const struct runner *runner);
// Does what is due. False when it cannot go on.
bool runner_work(struct runner *runner, struct err *err);
// The games under way are finished, and no other is begun; or that is over.
void runner_pause(struct runner *runner, bool pause);
bool runner_is_over(const struct runner *runner); // all games are played
int runner_playing(const struct runner *runner);  // games in play, here and elsewhere
const struct state *runner_state(const struct runner *runner);
struct staff_times runner_times(const struct runner *runner);
// Games under way are given back, to be played again from their start.
void runner_free(struct runner *runner);
