// SPDX-License-Identifier: MIT
// The routes of teams that hand in, and of the organiser who looks after them (docs/api.md).
#pragma once

#include "web/exchange.h"

// Whether the token is that of a team of the contest in the first word, which is then x->team;
// otherwise answers.
bool team_admit(struct web *web, struct exchange *x);

void get_team_link(struct web *web, struct exchange *x);
void get_team(struct web *web, struct exchange *x);
void get_team_log(struct web *web, struct exchange *x);
void get_team_game(struct web *web, struct exchange *x);
bool begin_submission(struct web *web, struct exchange *x);
void post_submission(struct web *web, struct exchange *x);

void get_teams(struct web *web, struct exchange *x);
void post_teams(struct web *web, struct exchange *x);
