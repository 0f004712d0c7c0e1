// SPDX-License-Identifier: MIT
// The line of a thought, to the end of the game.
#pragma once

#include "engine/engine.h"

// A search that knows how the game ends may stop before its line does: tables and earlier searches
// spare it the rest. Where the value is exact, and the game has scores, this goes on with the line
// by thinking of the positions it leads to, until the game is over: within the nodes of the limits
// for each of them, within their time for all. A line is left as it is where the value is not kept
// by what is found. Nothing else of the thought changes.
void thought_finish(struct brain *brain, const struct game *game, const void *state,
                    const struct limits *limits, struct thought *thought);
