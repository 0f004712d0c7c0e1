// SPDX-License-Identifier: MIT
// Whether the board that a folder describes can show its positions and take its moves.
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "games/game.h"

// Holds the grid of a position, and the cells in the texts of its legal moves, against the board
// (board_conf_read) under these rules. What does not fit is told in `fault`.
bool board_fit(const json_t *board, const struct ruleset *rules, const void *state,
               struct buf *fault);
