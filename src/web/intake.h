// SPDX-License-Identifier: MIT
// Where the teams of a contest hand their players in: a desk (contest/desk.h), and for every team a
// link of its own with a token. A team sees its own submissions and nothing of the others; the
// organiser sees the links and how far everybody is. It is open until the contest begins.
//
// On the disk, beside the contest's file: ID.teams/tokens.json, which only its owner may read, and
// below ID.teams the folders of the desk, one for each team by its place in the contest, from 1.
#pragma once

#include "contest/plan.h"
#include "web/arena.h"
#include "web/secret.h"

struct intake;

// Takes the plan, in which some players are still to be handed in. `open`: the contest has not
// begun.
struct intake *intake_new(const struct arena_hall *hall, const char *id, struct plan *take_draft,
                          bool open, struct err *err);
void intake_free(struct intake *intake);
void intake_tick(struct intake *intake);

bool intake_is_open(const struct intake *intake);
// Writes the contest's file, now with what counts of every team, and keeps the old one as ID.draft.
bool intake_close(struct intake *intake, struct err *err);
// Writes it elsewhere, as things stand.
bool intake_write(const struct intake *intake, const char *path, struct err *err);

// Teams are numbered by their place in the contest, from 0.
// Whose token it is; -1: nobody's. Takes as long for every wrong one.
int intake_find(const struct intake *intake, const char *token);
// A new token for a team; the old one is void.
bool intake_renew(struct intake *intake, int team, struct err *err);
// For the organiser: all teams with their tokens, and how they stand.
json_t *intake_teams(const struct intake *intake);

// For a team. Whether it may send an archive now, which is then on its way until it has ended.
bool intake_begin_upload(struct intake *intake, int team, struct err *err);
void intake_end_upload(struct intake *intake, int team);
// Whether nothing comes and nothing is worked on.
bool intake_rests(const struct intake *intake);
int64_t intake_most(const struct intake *intake); // bytes of an archive
const char *intake_folder(const struct intake *intake);
// Takes one; its number, or 0 with what is wrong.
int intake_take(struct intake *intake, int team, const void *bytes, size_t size, struct err *err);
json_t *intake_team(const struct intake *intake, int team);
// What building a submission printed, and its test game; NULL: there is none.
json_t *intake_log(const struct intake *intake, int team, int number);
json_t *intake_game(const struct intake *intake, int team, int number);

// Topics have names that only their team is told.
struct topic *intake_topic(struct intake *intake, const char *name);
const struct show *intake_show(const struct intake *intake, const char *id);
