// SPDX-License-Identifier: MIT
// The games, one constant a file.
#pragma once

#include "games/game.h"

extern const struct game game_cuptactoe;
extern const struct game game_reversi;
extern const struct game game_tower4;
extern const struct game game_hopchess;
extern const struct game game_connect6;
