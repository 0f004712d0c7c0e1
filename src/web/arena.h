// SPDX-License-Identifier: MIT
// One contest: a file and a store in the data folder, run by a child, `arbiter contest live`, whose
// lines are shown to whoever watches. Its games are shown like those of practice.
#pragma once

#include "base/json.h"
#include "link/box.h"
#include "referee/bridge.h"
#include "web/lasting.h"
#include "web/room.h"
#include "web/shelf.h"

enum { ARENA_PATH_MAX = 4096 };

// How a contest stands, in the words of the API.
#define ARENA_STATES(X)                                                                            \
    X(WAITING, "waiting")                                                                          \
    X(RUNNING, "running") X(PAUSED, "paused") X(OVER, "over") X(FAILED, "failed")

enum arena_state {
#define ARENA_STATE_CONSTANT(id, word) ARENA_##id,
    ARENA_STATES(ARENA_STATE_CONSTANT)
#undef ARENA_STATE_CONSTANT
};

// What contests share.
struct arena_hall {
    char folder[4000];
    const struct room_house *house;
    struct shelf *shelf;
    struct box *box; // for players that are handed in; found when it is needed
    struct lasting *lasting;
    void (*note)(void *owner, const char *words);
    void *owner;
};

struct arena {
    struct arena *next;
    const struct arena_hall *hall;
    char id[ROOM_ID_MAX];
    char *name;
    const struct game *game;
    enum arena_state state;
    char why[400]; // it failed
    struct link *child;
    bool unknown; // it was there before us: how it stands is still to be found out
    bool looking; // the child finds it out
    bool resume;  // it was going on when the server fell, and is to
    struct buf input, noise;
    // What it reports, as JSON. While it rests and nobody watches, a file has that alone: contests
    // that are over would otherwise fill the memory with their games.
    struct buf report;
    bool reported, put_away;   // there is one; it is in the file
    json_int_t done, expected; // games, of the report
    bool over;
    int64_t begun_us; // the child that plays was started, at so many games done; -1: not known
    json_int_t begun_done;
    int32_t *teams; // that come by themselves
    int team_count;
    struct bridge *bridges; // those that play in it now
    struct show *shows;     // games under way, or just over
    struct intake *intake;  // where its teams hand in; NULL: they do not
    struct topic topic;
    bool stale; // it is to be published
};

// The path of a file of a contest, by its ending.
void arena_path(const struct arena_hall *hall, const char *id, const char *tail,
                char path[static ARENA_PATH_MAX]);

// A contest by the text of its file, which waits; if its teams hand in, until they have.
struct arena *arena_new(const struct arena_hall *hall, const char *id, const char *text,
                        struct err *err);
void arena_free(struct arena *arena);
void arena_tick(struct arena *arena, int64_t now_us);

bool arena_start(struct arena *arena, struct err *err);
bool arena_pause(struct arena *arena, struct err *err); // games under way are finished
bool arena_continue(struct arena *arena, struct err *err);
bool arena_is_playing(const struct arena *arena); // or paused; its child is there
// Whether it goes on, and a team that comes by itself takes part.
bool arena_needs(const struct arena *arena, int32_t team);
bool arena_has_team(const struct arena *arena, int32_t team); // one that comes by itself
// Finds out how it stands, without playing.
bool arena_look(struct arena *arena, struct err *err);

// Whether it goes on, and how far it is, outlives a fall of the server.
void arena_remember(const struct arena *arena);

json_t *arena_summary(const struct arena *arena);
void arena_put(const struct arena *arena, struct buf *out); // as JSON
// The arguments with which this program compares its players: all, or two of them by their names.
bool arena_put_similar(const struct arena *arena, const json_t *players, struct buf *out,
                       struct err *err);
