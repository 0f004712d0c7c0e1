// SPDX-License-Identifier: MIT
// What `arbiter solve` does, by game.
#pragma once

#include "cli/command.h"

// Exit code, or -1 with err, as a command.
int solve_cuptactoe(const struct args *args, struct err *err);
