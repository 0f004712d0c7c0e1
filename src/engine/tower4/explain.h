// SPDX-License-Identifier: MIT
// What there is to say of a tower4 position.
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "games/game.h"

// The lines threatened, that is those that lack one piece; those within reach first, a line of text
// for each cell. As of an engine.
void tower_explain(const struct ruleset *rules, const void *state, struct buf *out);
// The same as "threatened", a list with an object for each cell.
json_t *tower_facts(const struct ruleset *rules, const void *state);
