// SPDX-License-Identifier: MIT
// The part of a contest file that says who meets whom and how that is counted.
#pragma once

#include "contest/plan.h"
#include "contest/settings.h"

// What a stage can be told; for plan_stage of a plan. Its `format` comes first.
extern const struct setting stage_settings[];

// Reads the settings of a group that are a stage's; `whole`: there may be no others.
bool stage_read(struct plan_stage *stage, const config_setting_t *group, const struct game *game,
                bool whole, struct err *err);
