// SPDX-License-Identifier: MIT
// What `arbiter solve` can solve, a function for each game.
#pragma once

#include "cli/setup.h"

// The positions of a file; exit code 1 if one differs from what the file says.
int solve_reversi(const struct setup *setup, const struct args *args, struct err *err);
// The table of all positions, made or looked at.
int solve_cuptactoe(const struct setup *setup, const struct args *args, struct err *err);
