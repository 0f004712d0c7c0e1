// SPDX-License-Identifier: MIT
// Where the teams of a contest hand their players in: contest/submissions.h, and for every team a
// link of its own with a token. A team sees its own submissions and nothing of the others; the
// organiser sees the links and how far everybody is. It is open until the contest begins; what is
// whole after the deadline is kept and marked, and never played.
//
// On the disk, beside the contest's file: ID.teams/tokens.json, which only its owner may read, and
// below ID.teams the folders of the submissions, one for each team by its place in the contest,
// from 1.
#pragma once

#include "contest/plan/plan.h"
#include "web/hosted_contest.h"
#include "web/secret.h"

struct contest_teams;

// Takes the plan, in which some players are still to be handed in. `open`: the contest has not
// begun.
struct contest_teams *contest_teams_new(const struct hosting *hosting, const char *id,
                                        struct plan *take_draft, bool open, struct err *err);
void contest_teams_free(struct contest_teams *teams);
void contest_teams_tick(struct contest_teams *teams);

bool contest_teams_is_open(const struct contest_teams *teams);
// Nothing more is taken, or it is again: the contest begins once all is built that has come.
void contest_teams_hold(struct contest_teams *teams, bool hold);
bool contest_teams_has_work(const struct contest_teams *teams);
// How long the contest will take, as far as can be said (contest/estimate.h).
json_t *contest_teams_estimate(const struct contest_teams *teams);
int64_t contest_teams_deadline_us(const struct contest_teams *teams); // since 1970; 0: none
// Writes the contest's file, now with what counts of every team, and keeps the old one as ID.draft.
bool contest_teams_close(struct contest_teams *teams, struct err *err);
// Writes it to a file of another ending, as things stand.
bool contest_teams_write(const struct contest_teams *teams, const char *tail, struct err *err);

// Teams are numbered by their place in the contest, from 0.
// Whose token it is; -1: nobody's. Takes as long for every wrong one.
int contest_teams_find(const struct contest_teams *teams, const char *token);
// A new token for a team; the old one is void.
bool contest_teams_renew(struct contest_teams *teams, int team, struct err *err);
// For the organiser: all teams with their tokens, and how they stand.
json_t *contest_teams_teams(const struct contest_teams *teams);

// For a team. Whether it may send an archive now, which is then on its way until it has ended.
bool contest_teams_begin_upload(struct contest_teams *teams, int team, struct err *err);
void contest_teams_end_upload(struct contest_teams *teams, int team);
// Whether nothing comes and nothing is worked on.
bool contest_teams_work(const struct contest_teams *teams); // something is built or tried
bool contest_teams_rests(const struct contest_teams *teams);
int64_t contest_teams_most(const struct contest_teams *teams); // bytes of an archive
const char *contest_teams_folder(const struct contest_teams *teams);
// Takes one; its number, or 0 with what is wrong.
int contest_teams_take(struct contest_teams *teams, int team, const void *bytes, size_t size,
                       struct err *err);
const char *contest_teams_name(const struct contest_teams *teams, int team);
json_t *contest_teams_team(const struct contest_teams *teams, int team);
// What building a submission printed, and its test game; NULL: there is none.
json_t *contest_teams_log(const struct contest_teams *teams, int team, int number);
json_t *contest_teams_game(const struct contest_teams *teams, int team, int number);
// Begins a try-out (team_tryouts.h): its number, or 0 with what is wrong. One of the past; NULL:
// there is none.
int contest_teams_try(struct contest_teams *teams, int team, const json_t *asked, struct err *err);
json_t *contest_teams_tryout(const struct contest_teams *teams, int team, int number);

// The test game or the try-out of a team by its id, which only the team is told, as the name of its
// topic; NULL: there is none.
const struct contest_game *contest_teams_test(const struct contest_teams *teams, const char *id);
