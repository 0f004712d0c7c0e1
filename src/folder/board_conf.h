// SPDX-License-Identifier: MIT
// board.conf: how a position of a folder's game is drawn and a move is clicked, as a description;
// no script comes from a folder. docs/adding-a-game.md lists the settings.
#pragma once

#include "base/err.h"
#include "base/json.h"
#include "games/game.h"

// The description for the page, everything filled in; also where the file is missing (NULL: as for
// a plain board of squares). NULL with an error.
json_t *board_conf_read(const char *path, const struct game *game, struct err *err);
