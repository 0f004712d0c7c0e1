// SPDX-License-Identifier: MIT
// What there is to say of a hopchess position.
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "games/game.h"

// Moves to go for both sides, and the score to expect, a line of text each. As of an engine.
void hop_explain(const struct ruleset *rules, const void *state, struct buf *out);
// The same as "sides", an object for each, and "run", how it ends if both run home.
json_t *hop_facts(const struct ruleset *rules, const void *state);
