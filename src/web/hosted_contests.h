// SPDX-License-Identifier: MIT
// All contests of the data folder.
#pragma once

#include "web/hosted_contest.h"

struct hosted_contests;

// Reads the contests of a folder, made if it is not there. After a fall (`again`) those that were
// going on go on.
struct hosted_contests *hosted_contests_new(const char *folder, const struct services *services,
                                            bool again, struct err *err);
void hosted_contests_free(struct hosted_contests *contests);
void hosted_contests_tick(struct hosted_contests *contests, int64_t now_us);

// Makes a contest from a form or a file's text (docs/api.md, POST /api/contests); NULL with an
// error.
struct hosted_contest *hosted_contests_make(struct hosted_contests *contests, const json_t *form,
                                            struct err *err);
struct hosted_contest *hosted_contests_find(const struct hosted_contests *contests,
                                            const char *id); // NULL: none
// "start", "pause" or "continue". A contest goes on only if its teams are in no other, and do not
// practise: one that plays elsewhere would lose here because it does not come.
bool hosted_contests_order(struct hosted_contests *contests, const char *id, const char *order,
                           struct err *err);
// Takes a contest away for good, with all its files, if `name` is its own and nothing is played or
// built.
bool hosted_contests_delete(struct hosted_contests *contests, const char *id, const char *name,
                            struct err *err);
// Whether no contest that goes on needs a team, other than one; an error names it.
bool hosted_contests_spare(const struct hosted_contests *contests, int32_t team,
                           const struct hosted_contest *other, struct err *err);
// Whether a team that comes by itself plays in a contest that is not over.
bool hosted_contests_expect(const struct hosted_contests *contests, int32_t team);
// Has the demo contests played as long as there is no other: on from where they stood, and anew
// with another seed when they are over.
void hosted_contests_demo(struct hosted_contests *contests);

// How many games that count are played here, those of submissions that are tried among them: not
// those of the demos.
int hosted_contests_count_games(const struct hosted_contests *contests);
// Whether a contest is being played here, but for the demos.
bool hosted_contests_play(const struct hosted_contests *contests);

json_t *hosted_contests_list(const struct hosted_contests *contests);
json_t *hosted_contests_game(const struct hosted_contests *contests,
                             const char *game_id); // under way; NULL: none
// The record of a game that is over and that nobody has kept here yet, by its id, as everybody may
// see it; it is kept from now on. NULL: there is none, or with an error.
json_t *hosted_contests_record(const struct hosted_contests *contests, const char *game_id,
                               struct err *err);
// Whether a game that is over was annulled, by its id.
bool hosted_contests_has_annulled(const struct hosted_contests *contests, const char *game_id);
// Adds the summaries of those under way.
void hosted_contests_list_games(const struct hosted_contests *contests, json_t *list);
