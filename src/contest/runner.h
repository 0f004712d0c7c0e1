// SPDX-License-Identifier: MIT
// Runs a contest: plans its games, has them played here (dispatch.h), and takes in what workers
// elsewhere have played. Nothing here waits; whoever has a loop watches runner_fd and calls
// runner_work when it can be read. A runner borrows its plan and store; a contest that was begun is
// continued. Players and their folders are seen from the working directory.
#pragma once

#include "contest/dispatch.h"
#include "contest/state.h"

struct runner;

struct runner *runner_new(const struct plan *plan, struct store *store,
                          const struct dispatch_options *options,
                          const struct dispatch_events *events, void *owner, struct err *err);
int runner_fd(const struct runner *runner);
// Does what is due. False when it cannot go on.
bool runner_work(struct runner *runner, struct err *err);
// The games under way are finished, and no other is begun; or that is over.
void runner_pause(struct runner *runner, bool pause);
bool runner_is_over(const struct runner *runner); // all games are played
int runner_playing(const struct runner *runner);  // games in play, here and elsewhere
const struct state *runner_state(const struct runner *runner);
struct dispatch_times runner_times(const struct runner *runner);
// Games under way are given back, to be played again from their start.
void runner_free(struct runner *runner);
