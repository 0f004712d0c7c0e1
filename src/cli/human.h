// SPDX-License-Identifier: MIT
// A person at the terminal as a player: he is shown the board and types moves, while the loop goes
// on.
#pragma once

#include "games/game.h"
#include "link/loop.h"

struct human;

struct human_events {
    // His answer on the abp protocol (docs/protocol.md, D), perhaps before human_ask returns.
    void (*said)(void *owner, int seat, const char *line);
    void (*left)(void *owner); // the input has ended
};

// Reads standard input, and only while it is asked for something. Ends with human_free, before the
// loop does.
struct human *human_new(struct loop *loop, const struct human_events *events, void *owner);
// Hands him a message of the protocol; again and again until his moves are legal.
void human_ask(struct human *human, const struct ruleset *rules, int seat, const char *message);
void human_free(struct human *human);
