// SPDX-License-Identifier: MIT
// The rules of a contest whose game came as a folder: in its store with their checksum, so that
// every machine that plays for it has the same.
#pragma once

#include "contest/plan/plan.h"
#include "store/store.h"

// Packs the folder of the contest's game into its store; nothing to do where the game is ours.
// Rules that have changed since the contest began are an error.
bool game_files_keep(const struct plan *plan, struct store *store, struct err *err);
// Makes the game of a contest known on this machine, if it came as a folder and is not. An error if
// other rules of that name are known here.
bool game_files_fetch(struct store *store, const char *contest, struct err *err);
