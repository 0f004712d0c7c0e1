// SPDX-License-Identifier: MIT
// Help, printed from the tables of commands and of games.
#pragma once

#include "cli/command.h"
#include "games/game.h"

#include <stdio.h>

void help_list(FILE *file, const struct command *const *commands, int count);
void help_command(FILE *file, const struct command *command);
// The rules of a game that --set changes.
void help_game(FILE *file, const struct game *game);
