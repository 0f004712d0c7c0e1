// SPDX-License-Identifier: MIT
// What takes the server a while: a seat is checked, a move is looked for, a whole game is studied.
// Each is asked for once and looked at again until it is done. Engines run as children, `arbiter
// analyse`, two at a time. What visitors ask waits in queues of its own, one for positions and one
// for games: one of each at a time, and with the lowest priority, so that games are not disturbed.
#pragma once

#include "web/services.h"

struct tasks;

struct tasks *tasks_new(const struct services *services);
void tasks_free(struct tasks *tasks);
void tasks_tick(struct tasks *tasks, int64_t now_us);

// Who asks: what is asked by visitors is bounded by their address.
struct asker {
    const char *peer;
    bool organiser;
};

// Each returns the number of the task, 0 with what is wrong, or -1 if there is no room for it now.
// Whether a player starts and answers: {"game":.., "player":..}.
int tasks_check(struct tasks *tasks, const json_t *asked, struct err *err);
// The best move of a position: {"game":.., "set":{..}, "moves":[..]}.
int tasks_think(struct tasks *tasks, const json_t *asked, struct err *err);
// The best lines of a position: as of tasks_think, and "page", a text: a question takes the place
// of the one that the same page asked before, and is one with that of others about the same
// position. It is dropped when nobody looks at it for a while.
int tasks_lines(struct tasks *tasks, const json_t *asked, const struct asker *asker,
                struct err *err);
// Every position of a game that is over: {"values":[..]}, which is kept with the game.
int tasks_study(struct tasks *tasks, const char *id, const json_t *record,
                const struct asker *asker, struct err *err);
// Runs this program with arguments, as the shell reads them: the last line it prints is the result,
// those before it tell {"done", "of"}.
int tasks_run(struct tasks *tasks, const char *arguments, struct err *err);
// How it stands: {"state":"working"|"done"|"failed", "done":n, "of":n, "result":.., "error":..}, or
// NULL if there is no such task; "ahead" has how many of visitors come before it.
json_t *tasks_look(const struct tasks *tasks, int number);
// The same of a task of tasks_lines, and of no other; what is found so far is its result. Of one
// that was dropped only that is told.
json_t *tasks_look_lines(struct tasks *tasks, int number);
// The task that studies a game; 0: none.
int tasks_find_study(const struct tasks *tasks, const char *id);
