// SPDX-License-Identifier: MIT
// The parts of `arbiter game`.
#pragma once

#include "cli/command.h"
#include "folder/add.h"

// Tries the contract on a game that was made, in a child, and prints what it is like; false with an
// error that says what is broken. Without `whole` it is short and prints nothing.
bool game_check(const struct add *add, bool whole, struct err *err);
// Writes a folder for a game of this name, like one of the examples.
bool game_new(const char *name, const char *like, const char *folder, struct err *err);
