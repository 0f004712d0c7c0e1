// SPDX-License-Identifier: MIT
// What there is to say of a hopchess position.
#pragma once

#include "base/buf.h"
#include "games/game.h"

// Moves to go for both sides, and the score to expect, a line of text each. As of an engine.
void hop_explain(const struct ruleset *rules, const void *state, struct buf *out);
