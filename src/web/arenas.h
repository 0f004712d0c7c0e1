// SPDX-License-Identifier: MIT
// All contests of the data folder.
#pragma once

#include "web/arena.h"

struct arenas;

// Reads the contests of a folder, made if it is not there; `hall` without its folder and box is
// copied. After a fall (`again`) those that were going on go on.
struct arenas *arenas_new(const char *folder, const struct arena_hall *hall, bool again,
                          struct err *err);
void arenas_free(struct arenas *arenas);
void arenas_tick(struct arenas *arenas, int64_t now_us);

// Makes a contest from a form or a file's text (docs/api.md, POST /api/contests); `id` gets its id.
bool arenas_make(struct arenas *arenas, const json_t *form, char id[static ROOM_ID_MAX],
                 struct err *err);
// "start", "pause" or "continue". A contest goes on only if its teams are in no other, and do not
// practise: one that plays elsewhere would lose here because it does not come.
bool arenas_order(struct arenas *arenas, const char *id, const char *order, struct err *err);
// Whether no contest that goes on needs a team, other than one; an error names it.
bool arenas_spare(const struct arenas *arenas, int32_t team, const struct arena *other,
                  struct err *err);
// Whether a team that comes by itself plays in a contest that is not over.
bool arenas_expect(const struct arenas *arenas, int32_t team);
// Has the demo contests played as long as there is no other: on from where they stood, and anew
// with another seed when they are over.
void arenas_demo(struct arenas *arenas);

json_t *arenas_list(const struct arenas *arenas);
bool arenas_put(const struct arenas *arenas, const char *id, struct buf *out); // false: none
json_t *arenas_game(const struct arenas *arenas, const char *game_id); // under way; NULL: none
json_t *arenas_games(const struct arenas *arenas);                     // under way, summaries
struct topic *arenas_topic(const struct arenas *arenas, const char *name);
// Where the teams of a contest hand in; NULL: they do not, or there is no such contest.
struct intake *arenas_intake(const struct arenas *arenas, const char *id);
// arena_put_similar for a contest.
bool arenas_put_similar(const struct arenas *arenas, const char *id, const json_t *players,
                        struct buf *out, struct err *err);
