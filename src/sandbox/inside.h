// SPDX-License-Identifier: MIT
// The second stage: limits, user, filter, and then the player.
#pragma once

#include "sandbox/options.h"

// Leaves of the environment what a player may see. Before the walls, too: their first process can
// be looked at from inside.
void inside_clean(const char *home);
_Noreturn void inside_start(const struct options *options);
// Whether system calls can be filtered here.
bool inside_can_filter(void);
