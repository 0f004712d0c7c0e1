// SPDX-License-Identifier: MIT
// What was said in games of practice with players that are not ours (referee/log.h): a file for
// each game, which only its owner may read, the newest GAME_LOGS_KEPT of them.
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { GAME_LOGS_KEPT = 500, GAME_LOG_BYTES = 1 << 17 };

// Ids are those of games (game_archive_is_id).
bool game_logs_put(const char *folder, const char *id, const struct buf *log, struct err *err);
bool game_logs_get(const char *folder, const char *id, struct buf *out); // false: there is none
