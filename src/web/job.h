// SPDX-License-Identifier: MIT
// What takes the server a while: a seat is checked, a move is looked for, a whole game is studied.
// Each is asked for once and looked at again until it is done. Engines run as children, `arbiter
// analyse`, two at a time.
#pragma once

#include "link/loop.h"
#include "web/room.h"

struct jobs;

struct jobs *jobs_new(const struct room_house *house);
void jobs_free(struct jobs *jobs);
void jobs_tick(struct jobs *jobs, int64_t now_us);

// Each returns the number of the job, or 0 with what is wrong.
// Whether a player starts and answers: {"game":.., "player":..}.
int jobs_check(struct jobs *jobs, const json_t *asked, struct err *err);
// The best move of a position: {"game":.., "set":{..}, "moves":[..]}.
int jobs_think(struct jobs *jobs, const json_t *asked, struct err *err);
// Every position of a game that is over; `done` gets {"values":[..]}.
int jobs_study(struct jobs *jobs, const char *id, const json_t *record,
               void (*done)(void *owner, const char *id, const json_t *study), void *owner,
               struct err *err);
// Runs this program with arguments, as the shell reads them: the last line it prints is the result,
// those before it tell {"done", "of"}.
int jobs_run(struct jobs *jobs, const char *arguments, struct err *err);
// How it stands: {"state":"working"|"done"|"failed", "done":n, "of":n, "result":.., "error":..}, or
// NULL if there is no such job.
json_t *jobs_look(const struct jobs *jobs, int number);
// The job that studies a game; 0: none.
int jobs_find_study(const struct jobs *jobs, const char *id);
