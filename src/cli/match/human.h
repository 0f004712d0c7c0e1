// SPDX-License-Identifier: MIT
// A person at the terminal as a player: he is shown the board and types moves, while the loop goes
// on.
#pragma once

#include "games/game.h"
#include "link/loop.h"

struct human;

struct human_events {
    // His whole turn, legal, perhaps before human_ask returns.
    void (*moves)(void *owner, int player, const char *moves);
    void (*left)(void *owner); // the input has ended
};

// Reads standard input, and only while it is asked for something. Ends with human_free, before the
// loop does.
struct human *human_new(struct loop *loop, const struct human_events *events, void *owner);
// Asks for a turn in this position, again and again until his moves are legal.
void human_ask(struct human *human, const struct game *game, const void *state, int player);
// The game is over, perhaps without waiting for him.
void human_dismiss(struct human *human);
void human_free(struct human *human);
