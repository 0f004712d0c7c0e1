// SPDX-License-Identifier: MIT
// Values of the engines as people say them. The page says them in the same way (web/values.js).
#pragma once

#include "engine/engine.h"

// How many turns of the winner until an end that is in sight; 0: none is.
int engine_turns_left(const struct engine *engine, int value);
// "+2.6 pieces", "won in 5 turns", "lost in 2 turns" or "even", for the player to move; "winning"
// or "losing" where an end is seen and not proven. ", exact" follows where it is. Appends to the
// text.
void thought_put_words(const struct engine *engine, const void *state,
                       const struct thought *thought, struct buf *out);
