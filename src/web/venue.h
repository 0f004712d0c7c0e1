// SPDX-License-Identifier: MIT
// All that the server holds: games under way, games kept, questions being worked on, teams that
// wait, and who watches.
#pragma once

#include "web/arenas.h"
#include "web/job.h"
#include "web/live.h"
#include "web/room.h"
#include "web/shelf.h"

struct venue_config {
    const char *data;    // the folder of all that is kept
    const char *program; // the path of this program
    const struct embed *kits;
    const char *address; // of the judge for TCP teams
    int judge_port;      // 0: none
    bool demo;           // a demo contest where there is none
    struct lasting *lasting;
    bool again; // after a fall: contests that were going on go on
    void (*wake)(void *connection);
    void (*note)(void *owner, const char *words); // for the terminal
    void *owner;
};

struct venue {
    struct loop *loop;
    struct venue_config config;
    char players[4096]; // the folder of players
    struct live live;
    struct room_house house;
    struct lobby *lobby;
    struct shelf *shelf;
    struct jobs *jobs;
    struct room *rooms;
    struct arenas *arenas;
    struct topic topic; // "hall": lists of games and teams
    bool topic_stale;
    struct timer *timer;
    int64_t trimmed_us;
};

struct venue *venue_new(struct loop *loop, const struct venue_config *config, struct err *err);
void venue_free(struct venue *venue);

// Begins a game by a plan; `id` gets its id.
struct room *venue_begin(struct venue *venue, const json_t *plan, struct err *err);
// The same seats with colours swapped; whoever watches is led there.
struct room *venue_again(struct venue *venue, struct room *room, struct err *err);
struct room *venue_find(const struct venue *venue, const char *id); // NULL: none
// Keeps a game that two people have played in a browser: {"game","set","moves","ms","names"}.
bool venue_keep(struct venue *venue, const json_t *played, char id[static ROOM_ID_MAX],
                struct err *err);
// Games under way and teams that wait.
json_t *venue_json(const struct venue *venue);
