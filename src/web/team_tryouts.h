// SPDX-License-Identifier: MIT
// A team's try-outs as its page shows them: what is asked for, how often, the one that is played,
// and those of the past (contest/submissions.h).
#pragma once

#include "contest/submissions.h"
#include "web/contest_game.h"

enum { TRYOUTS_AN_HOUR = 30 };

// Zeroed by its owner.
struct team_tryouts {
    struct contest_game *live; // the one that is played, or was last; NULL: none since the start
    int shown;                 // its number
    int64_t begun_us[TRYOUTS_AN_HOUR]; // the last ones since 1970, in a ring
    int next;
};

// Reads {"submission", "against": "builtin:LEVEL" or a number, "colour"}.
bool team_tryouts_read(const json_t *asked, struct tryout_wish *wish, struct err *err);
// Whether one more may begin; and that it has, which a file keeps for the server that comes next.
bool team_tryouts_may(const struct team_tryouts *tryouts, struct err *err);
void team_tryouts_count(struct team_tryouts *tryouts, const char *path);
void team_tryouts_load(struct team_tryouts *tryouts, const char *path);
// What contest_game_new is told; the deal is the game's.
json_t *team_tryouts_began(const char *team, const struct tryout_wish *wish,
                           const struct deal *deal);
// Those of the past, the newest first; and one of them as a game, with the `messages` that the team
// may read: NULL if there is none.
json_t *team_tryouts_list(const struct submissions *submissions, const char *number);
json_t *team_tryouts_game(const struct submissions *submissions, const char *number,
                          const char *team, int tryout);
