// SPDX-License-Identifier: MIT
// What was learned of a game by playing it, which lies in its folder beside the rules.
#pragma once

#include "base/buf.h"
#include "base/rungs.h"
#include "games/game.h"

extern const char learned_weights_name[]; // of the file in the folder

// The rungs of a game: of one that came as a folder its rungs.txt, where it has one; else as
// rungs_find gives them. False with an error if that file cannot be read: they are those of any
// game then.
bool learned_rungs(const struct game *game, struct rungs *rungs, struct err *err);
// Whether the rungs.txt of a folder can be read, or there is none.
bool learned_check_rungs(const char *folder, struct err *err);
// Appends the weights of a game that came as a folder; the engine reads them. False if it has none,
// with an error if there is something in their place.
bool learned_weights(const struct game *game, struct buf *out, struct err *err);
