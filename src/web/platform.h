// SPDX-License-Identifier: MIT
// All that the server holds: games under way, games kept, questions being worked on, teams that
// wait, and who watches.
#pragma once

#include "web/game_archive.h"
#include "web/guard.h"
#include "web/hosted_contests.h"
#include "web/live.h"
#include "web/practice.h"
#include "web/server.h"
#include "web/switches.h"
#include "web/task.h"

enum { VISITORS_KEPT_AN_HOUR = 30 }; // from one address

struct platform {
    const struct server_config *config;
    char players[4096]; // the folder of players
    char playing[4096]; // of games of practice that are under way
    char logs[4096];    // and of what was said in some that are over
    struct live live;
    struct switches switches;
    struct rate keeping; // games that visitors have played without the server
    struct services services;
    struct tasks *tasks;
    struct practice *practices;
    struct hosted_contests *contests;
    struct topic topic; // "hall": lists of games and teams
    bool topic_stale;
    struct timer *timer;
    int64_t trimmed_us;
};

// `wake` tells a connection that there is something new for it; the config is borrowed until the
// platform is freed.
struct platform *platform_new(struct loop *loop, const struct server_config *config,
                              void (*wake)(void *connection), struct err *err);
void platform_free(struct platform *platform);

// Begins a game by a plan.
struct practice *platform_begin(struct platform *platform, const json_t *plan,
                                const struct practice_asker *maker, struct err *err);
// The same seats with colours swapped, once all who play want it; whoever watches is led there.
// NULL without an error: the other is asked.
struct practice *platform_again(struct platform *platform, struct practice *practice, int seats,
                                const struct practice_asker *asker, struct err *err);
// Its player leaves a game for good.
bool platform_leave(struct platform *platform, struct practice *practice, int seats,
                    struct err *err);
// What is done now and then: games that nobody plays any more end, and how the others stand is
// written down.
void platform_sweep(struct platform *platform, int64_t now_us);
struct practice *platform_find(const struct platform *platform, const char *id); // NULL: none
// Keeps a game that two people have played in a browser: {"game","set","moves","ms","names"}.
bool platform_keep(struct platform *platform, const json_t *played, char id[static GAME_ID_MAX],
                   struct err *err);
// Games under way and teams that wait.
json_t *platform_json(const struct platform *platform);
