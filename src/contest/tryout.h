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

enum { TRYOUT_TEST_SEED = 1 }; // the test game is the same for all

// One that plays: what was made of a submission, or a built-in player, which has no folder.
struct tryout_side {
    const char *name, *folder, *start;
};

// The same life for a game between two that are made, black first.
_Noreturn void tryout_play(const struct submissions_options *options,
                           const struct tryout_side sides[static 2], int seed, int out);
// What a game with that seed is played under; the opening is freed by the caller.
bool tryout_deal(const struct submissions_options *options, int seed, struct deal *deal,
                 struct err *err);
