// SPDX-License-Identifier: MIT
// The rungs of a game: what each takes away from its built-in player, and how strong that was found
// to be. They are data, a text a game, written by bench/rungs: those of our games lie in
// base/rungs, those of a game that came as a folder may lie there, and for the rest there is one
// table that nobody has measured. It stands in base because neither the engine nor who shows a
// level may include the other.
#pragma once

#include "base/err.h"
#include "base/level.h"

#include <stddef.h>
#include <stdint.h>

enum { RUNG_COUNT = LEVEL_MOST, RUNGS_TEXT_MAX = 4096 };

struct rung {
    int64_t nodes; // at most so many for a move; 0: all that the limits allow
    int misses;    // percent of the legal moves that it does not see, drawn for each
    // On the scale of Elo, and its 95 % interval; rungs 1 to 9 have 1500 on average. Of the last,
    // which has no bound, at 0.1 s a move where it was measured.
    int elo, low, high;
};

struct rungs {
    bool measured; // by games: elo, low and high mean something
    struct rung rung[RUNG_COUNT];
};

// A line each, the weakest first: NODES MISSES, or NODES MISSES ELO LOW HIGH in all of them. What
// begins with # is a remark.
bool rungs_read(struct rungs *rungs, const char *text, size_t length, struct err *err);
// Those of a game of ours, by its name; for any other name those that hold for any game.
void rungs_find(struct rungs *rungs, const char *game);
