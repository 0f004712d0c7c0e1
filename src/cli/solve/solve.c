// SPDX-License-Identifier: MIT
// `arbiter solve`: exact values.
#include "cli/solve/solve.h"

#include <string.h>

static const struct {
    const char *game;
    int words;                 // on the command line
    const char *const *others; // options that it does not take
    int (*run)(const struct setup *setup, const struct args *args, struct err *err);
} solvers[] = {
    {"cuptactoe", 1, (const char *const[]){"--set", NULL}, solve_cuptactoe},
    {"reversi", 2, (const char *const[]){"--out", "--again", NULL}, solve_reversi},
};

enum { SOLVERS = sizeof solvers / sizeof *solvers };

// What only the other solver knows is refused, not passed over.
static bool refuse_others(const char *game, const char *const *others, const struct args *args,
                          struct err *err) {
    for (; *others; others++)
        if (args_value(args, *others))
            return err_set(err, "solve %s takes no %s", game, *others);
    return true;
}

static int solve_run(const struct args *args, struct err *err) {
    struct setup setup;
    char names[ERR_TEXT_MAX / 2] = "";
    if (!setup_read(&setup, args, err))
        return -1;
    for (int i = 0; i < SOLVERS; i++) {
        err_list(names, sizeof names, solvers[i].game);
        if (strcmp(setup.game->name, solvers[i].game) != 0)
            continue;
        if (!refuse_others(solvers[i].game, solvers[i].others, args, err))
            return -1;
        if (args->words == solvers[i].words)
            return solvers[i].run(&setup, args, err);
        err_set(err, "solve %s takes %s", solvers[i].game,
                solvers[i].words == 2 ? "a file with positions" : "no more words");
        return -1;
    }
    err_set(err, "%s cannot be solved; what can is %s", setup.game->name, names);
    return -1;
}

static const struct option options[] = {
    OPTION_SET,
    {"--threads", "N", "threads to work with (reversi: 1; cuptactoe: all processors)"},
    {"--out", "FILE", "cuptactoe: where the table goes, instead of where the player looks for it"},
    {"--again", NULL, "cuptactoe: solve even if the table is there"},
    OPTION_JSON,
};

const struct command command_solve = {
    .name = "solve",
    .arguments = "GAME [FILE]",
    .words_min = 1,
    .words_max = 2,
    .summary = "find exact values",
    .help =
        "cuptactoe: finds the value of every position by working backwards, checks each\n"
        "against the positions that moves lead to, and writes them to a table of 443 MB in\n"
        "$XDG_DATA_HOME/arbiter or ~/.local/share/arbiter. The built-in player uses it when\n"
        "it is there. A table that is there is checked by its sum and told about.\n"
        "Needs 480 MB of memory and some seconds.\n"
        "Example: arbiter solve cuptactoe\n\n"
        "reversi: reads positions from FILE, one a line as in\n"
        "  64 squares (X O -), who moves; best moves\n"
        "  ---------------------------OX------XO--------------------------- X; F5:+0;\n"
        "and prints the value of each, the best move, the positions looked at and the CPU time,\n"
        "and where that differs from the file; the exit code is 1 then. On board=othello the\n"
        "winner gets the squares left empty, as in such files.\n"
        "Example: arbiter solve reversi --set board=othello tests/data/othello/fforum-20-39.obf\n",
    COMMAND_OPTIONS(options),
    .takes_game = true,
    .run = solve_run,
};
