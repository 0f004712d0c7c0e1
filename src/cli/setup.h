// SPDX-License-Identifier: MIT
// The game that a command line names, under the rules it sets.
#pragma once

#include "cli/command.h"
#include "games/game.h"

// The option that sets rules, for the tables of commands.
#define OPTION_SET                                                                                 \
    { "--set", "KEY=VALUE", "change a rule of the game; may be repeated" }
#define OPTION_FROM                                                                                \
    { "--from", "POSITION", "begin at this position instead of the first" }
#define OPTION_JSON                                                                                \
    { "--json", NULL, "print for machines, one JSON object a line" }

struct setup {
    const struct game *game;
    struct ruleset rules;
    union game_state start;
};

// The game in the first word, with --set and --from where the command has them.
bool setup_read(struct setup *setup, const struct args *args, struct err *err);
// A game and its rules written in the program; they must be right.
void setup_make(struct setup *setup, const char *game, const char *key, const char *value);
// Splits "key=value" and sets it.
bool setup_rule(struct ruleset *rules, const char *assignment, struct err *err);
const struct game *setup_game(const char *name, struct err *err);

// Draws a position on standard output, in colour if that is a terminal. `drawn` is the number of
// lines of the board before, over which it is drawn, and then its own; NULL: below what is there.
void board_print(const struct game *game, const void *state, int *drawn);
