// SPDX-License-Identifier: MIT
// Whether what a contest file says fits together, once all of it is read.
#pragma once

#include "contest/plan.h"

// Deals players to groups, notes which teams are awaited, and says what does not fit, with its line
// and what would be right.
bool plan_check(struct plan *plan, struct err *err);
