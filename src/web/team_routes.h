// SPDX-License-Identifier: MIT
// The routes of teams that hand in, and of the organiser who looks after them (docs/api.md); they
// stand in the table of routes.c.
#pragma once

#include "web/exchange.h"

// Whether whoever asks is a team of the contest; otherwise answers.
bool team_routes_admit(struct web *web, struct exchange *x);
const char *team_routes_name(const struct web *web,
                             const struct exchange *x); // of the team that asks
// Whether a team may send an archive, before its body comes; otherwise answers.
bool team_routes_begin(struct web *web, struct exchange *x);

void team_routes_link(struct web *web, struct exchange *x);
void team_routes_team(struct web *web, struct exchange *x);
void team_routes_log(struct web *web, struct exchange *x);
void team_routes_contest_log(struct web *web, struct exchange *x);
void team_routes_played(struct web *web, struct exchange *x);
void team_routes_game(struct web *web, struct exchange *x);
void team_routes_submit(struct web *web, struct exchange *x);
void team_routes_tryout(struct web *web, struct exchange *x);
void team_routes_try(struct web *web, struct exchange *x);
void team_routes_protests(struct web *web, struct exchange *x);
void team_routes_protest(struct web *web, struct exchange *x);
void team_routes_list(struct web *web, struct exchange *x);
void team_routes_renew(struct web *web, struct exchange *x);
