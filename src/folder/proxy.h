// SPDX-License-Identifier: MIT
// The functions of a game from outside for a process that must not fall: every call is a question
// to a child (`arbiter game host NAME`) that has the rules loaded. If it fails, or does not answer
// in time, it is ended; calls then answer what ends a game and harms nobody, and the game has
// failed until some time has passed.
#pragma once

#include "games/game.h"

enum { PROXIES_MAX = 24 };

// Gives a game its functions; false: there are too many.
bool proxy_give(struct game *game);
// Why the rules of a game have failed, lately; NULL: they have not.
const char *proxy_failure(const struct game *game);

// The life of that child: answers what comes in, until nothing does.
int proxy_host(const struct game *game, int in, int out);
