// SPDX-License-Identifier: MIT
// The levels of built-in players, for the page.
#pragma once

#include "base/json.h"
#include "games/game.h"

// The words of the rungs, the weakest first.
json_t *levels_json(void);
// What the rungs of a game were found to be worth, in the same order: {"elo", "low", "high"}; null
// where nobody has measured it.
json_t *levels_of(const struct game *game);
