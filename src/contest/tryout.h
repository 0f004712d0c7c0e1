// SPDX-License-Identifier: MIT
// A submission made into a player and tried in a game, in a process of its own, which writes lines
// of JSON: {"log":".."} for what building prints, {"made":{"finding","text","kind","start"}}, and
// if it can play what a game of a contest writes (play.h). {"error":".."}: a circumstance here.
#pragma once

#include "contest/submissions.h"

// The life of that process, after the fork: writes to `out`, and ends. `into` is the folder that is
// made for the player. SIGINT and SIGTERM are held before.
_Noreturn void tryout_run(const struct submissions_options *options, const char *path,
                          const char *into, int out);
// What the test game is played under; the opening is freed by the caller.
bool tryout_deal(const struct submissions_options *options, struct deal *deal, struct err *err);
