// SPDX-License-Identifier: MIT
// A person at the terminal as a player: he is shown the board and types moves.
#pragma once

#include "base/buf.h"
#include "games/game.h"

// Answers a message of the abp protocol (docs/protocol.md, D) by asking whoever sits at standard
// input, again and again until the moves are legal. The answer stays empty where none is due.
// Returns false when the input has ended or was interrupted.
bool human_answer(const struct ruleset *rules, const char *message, struct buf *answer);
