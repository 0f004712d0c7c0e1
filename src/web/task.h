// SPDX-License-Identifier: MIT
// What takes the server a while: a seat is checked, a move is looked for, a whole game is studied.
// Each is asked for once and looked at again until it is done. Engines run as children, `arbiter
// analyse`, two at a time.
#pragma once

#include "web/services.h"

struct tasks;

struct tasks *tasks_new(const struct services *services);
void tasks_free(struct tasks *tasks);
void tasks_tick(struct tasks *tasks, int64_t now_us);

// Each returns the number of the task, or 0 with what is wrong.
// Whether a player starts and answers: {"game":.., "player":..}.
int tasks_check(struct tasks *tasks, const json_t *asked, struct err *err);
// The best move of a position: {"game":.., "set":{..}, "moves":[..]}.
int tasks_think(struct tasks *tasks, const json_t *asked, struct err *err);
// Every position of a game that is over: {"values":[..]}, which is kept with the game.
int tasks_study(struct tasks *tasks, const char *id, const json_t *record, struct err *err);
// Runs this program with arguments, as the shell reads them: the last line it prints is the result,
// those before it tell {"done", "of"}.
int tasks_run(struct tasks *tasks, const char *arguments, struct err *err);
// How it stands: {"state":"working"|"done"|"failed", "done":n, "of":n, "result":.., "error":..}, or
// NULL if there is no such task.
json_t *tasks_look(const struct tasks *tasks, int number);
// The task that studies a game; 0: none.
int tasks_find_study(const struct tasks *tasks, const char *id);
