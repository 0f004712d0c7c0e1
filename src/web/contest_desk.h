// SPDX-License-Identifier: MIT
// What is written about a contest beside its games: the organiser's notices, which everybody reads;
// teams' protests against a verdict, which the organiser answers; and whether it is put away in the
// archive. Kept in ID.desk beside the contest's file, at every change.
#pragma once

#include "base/err.h"
#include "base/json.h"

#include <stdint.h>

struct hosting;
struct contest_desk;

struct contest_desk *contest_desk_new(const struct hosting *hosting, const char *id);
void contest_desk_free(struct contest_desk *desk);

// {"text"} posts a notice, {"delete": id} takes one away. Each returns false with what is wrong.
bool contest_desk_notice(struct contest_desk *desk, const json_t *asked, struct err *err);
// A team's protest against a game: one at a time of each.
bool contest_desk_protest(struct contest_desk *desk, const char *team, int64_t game,
                          const char *text, struct err *err);
// {"id", "answer"}: settles a protest.
bool contest_desk_answer(struct contest_desk *desk, const json_t *asked, struct err *err);
bool contest_desk_archive(struct contest_desk *desk, bool archived, struct err *err);

bool contest_desk_is_archived(const struct contest_desk *desk);
int contest_desk_open_protests(const struct contest_desk *desk); // those without an answer
// The newest first: {"id","at_ms","text"}; and {"id","at_ms","team","game","text","answer"}, the
// answer null if there is none, of all teams or of one.
json_t *contest_desk_notices(const struct contest_desk *desk);
json_t *contest_desk_protests(const struct contest_desk *desk, const char *team);
