// SPDX-License-Identifier: MIT
// The second stage: limits, user, filter, and then the player.
#pragma once

#include "sandbox/options.h"

_Noreturn void inside_start(const struct options *options);
// Whether system calls can be filtered here.
bool inside_can_filter(void);
