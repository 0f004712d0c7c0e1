// SPDX-License-Identifier: MIT
// What the files that read a plan share: the part that says who meets whom and how that is counted
// (stage.c), and what is looked at once all is read (check.c).
#pragma once

#include "base/settings.h"
#include "contest/plan/plan.h"

// What a stage can be told; for plan_stage of a plan. Its `format` comes first.
extern const struct setting stage_settings[];

// Reads the settings of a group that are a stage's; `whole`: there may be no others.
bool stage_read(struct plan_stage *stage, const config_setting_t *group, const struct game *game,
                bool whole, struct err *err);
// Deals players to groups, notes which teams are awaited, and says what does not fit together, with
// its line and what would be right.
bool plan_check(struct plan *plan, struct err *err);
