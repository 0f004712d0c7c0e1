// SPDX-License-Identifier: MIT
// The contract of struct game (docs/adding-a-game.md), tried on random games and random texts. What
// is broken is told in words: the function, the position and the move.
#pragma once

#include "base/buf.h"
#include "games/game.h"

// What the games were like.
struct contract_tally {
    int64_t games, plies, moves; // moves: legal ones, over all plies
    int longest;                 // plies of a game
    int most;                    // legal moves of a position
    int won[3];                  // drawn, by black, by white
};

// Plays so many games under a ruleset, and reads so many texts that are none. False, and `fault`
// says what is broken.
bool contract_check(const struct ruleset *rules, int games, int texts, uint64_t seed,
                    struct contract_tally *tally, struct buf *fault);
// What is being asked just now, for whoever ends the process in the middle of it: the position and
// the move, or "".
const char *contract_asking(void);
