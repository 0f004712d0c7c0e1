// SPDX-License-Identifier: MIT
// The functions of a game from outside for a process that must not fall: every call is a question
// to a child (`arbiter game host NAME`) that has the rules loaded. If it fails, or does not answer
// in time, it is ended. Until proxy_forget calls then answer what ends a game and harms nobody, and
// who has asked looks at proxy_failure. The next question is that of a fresh child; rules that fail
// again and again are not asked for a while.
#pragma once

#include "games/game.h"

enum { PROXIES_MAX = 256 };

// Gives a game its functions; false: there are too many.
bool proxy_give(struct game *game);
// Why the rules of a game have failed since proxy_forget, or are not asked; NULL: all is well.
const char *proxy_failure(const struct game *game);
// What was asked so far is done with: what comes now is about another game, or another move.
void proxy_forget(void);
// The rules did what they must not, in a way that their child cannot see; false: there is none.
bool proxy_fail(const struct game *game, const char *call, const char *why);

// The life of that child: answers what comes in, until nothing does.
int proxy_host(const struct game *game, int in, int out);
