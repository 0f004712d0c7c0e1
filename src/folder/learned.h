// SPDX-License-Identifier: MIT
// What was learned of a game by playing it, which lies in its folder beside the rules.
#pragma once

#include "base/rungs.h"
#include "games/game.h"

// The rungs of a game: of one that came as a folder its rungs.txt, where it has one; else as
// rungs_find gives them. False with an error if that file cannot be read.
bool learned_rungs(const struct game *game, struct rungs *rungs, struct err *err);
