// SPDX-License-Identifier: MIT
// `arbiter solve`: what can be known for certain of a game.
#include "cli/solve.h"

#include "cli/setup.h"

#include <string.h>

static const struct {
    const char *game;
    int (*run)(const struct args *args, struct err *err);
} solvers[] = {
    {"cuptactoe", solve_cuptactoe},
};

static int run(const struct args *args, struct err *err) {
    char names[ERR_TEXT_MAX / 2] = "";
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        if (strcmp(solvers[i].game, args->word[0]) == 0)
            return solvers[i].run(args, err);
        err_list(names, sizeof names, solvers[i].game);
    }
    if (setup_game(args->word[0], err))
        err_set(err, "%s cannot be solved; what can is %s", args->word[0], names);
    return -1;
}

static const struct option options[] = {
    {"--out", "FILE", "where the table goes, instead of where the player looks for it"},
    {"--again", NULL, "solve even if the table is there"},
    {"--threads", "N", "threads to work with (as many as there are processors)"},
    OPTION_JSON,
};

const struct command command_solve = {
    .name = "solve",
    .arguments = "GAME",
    .words_min = 1,
    .words_max = 1,
    .summary = "solve a game",
    .help = "cuptactoe: finds the value of every position by working backwards, checks each\n"
            "against the positions that moves lead to, and writes them to a table of 443 MB in\n"
            "$XDG_DATA_HOME/arbiter or ~/.local/share/arbiter. The built-in player uses it when\n"
            "it is there. A table that is there is checked by its sum and told about.\n"
            "Needs 480 MB of memory and some seconds.\n"
            "Example: arbiter solve cuptactoe\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
