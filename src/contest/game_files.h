// SPDX-License-Identifier: MIT
// The game of a contest that came as a folder: in its store with its checksum, so that every
// machine that plays for it has the same, and what was played is told by what it was played by.
#pragma once

#include "contest/plan/plan.h"
#include "store/store.h"

enum { GAME_FILES_DIFFER_MAX = 60 };

// Packs the folder of the contest's game into its store; nothing to do where the game is ours. A
// game that has changed since the contest began is an error.
bool game_files_keep(const struct plan *plan, struct store *store, struct err *err);
// From now on the game of a contest that has begun is as its store has it, in this process and its
// children. `differs`: what of the one that is known here is another, in words; "": nothing.
bool game_files_use(struct store *store, const char *contest,
                    char differs[static GAME_FILES_DIFFER_MAX], struct err *err);
// The error of whoever wants to play on where something differs; true: nothing does.
bool game_files_refuse(const char *game, const char *contest, const char *differs, struct err *err);
// Makes the game of a contest known by what its store has, if none is known by that name.
bool game_files_know(struct store *store, const char *contest, struct err *err);
// Adds the game of a contest to those of this machine, if it came as a folder and is not known. An
// error if another of that name is.
bool game_files_fetch(struct store *store, const char *contest, struct err *err);
