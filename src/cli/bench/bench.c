// SPDX-License-Identifier: MIT
// `arbiter bench`: the list of what is measured.
#include "cli/bench/bench.h"
#include "cli/setup.h"

#include <string.h>

static const struct {
    const char *name;
    bool hidden; // a part of another one
    int (*run)(const struct args *args, struct err *err);
} benches[] = {
    {"rules", false, bench_rules},     {"engine", false, bench_engine},
    {"referee", false, bench_referee}, {"box", false, bench_box},
    {"player", true, bench_player},
};

enum { BENCHES = sizeof benches / sizeof *benches };

static int bench_run(const struct args *args, struct err *err) {
    char names[200] = "";
    int code = 0;
    for (int i = 0; i < BENCHES && code == 0; i++) {
        if (args->words > 0 && strcmp(args->word[0], benches[i].name) == 0)
            return benches[i].run(args, err);
        if (benches[i].hidden)
            continue;
        err_list(names, sizeof names, benches[i].name);
        if (args->words == 0)
            code = benches[i].run(args, err);
    }
    if (args->words == 0)
        return code;
    err_set(err, "there is no bench '%.60s'; there is %s", args->word[0], names);
    return -1;
}

static const struct option options[] = {
    {"--game", "GAME", "rules, engine: measure this game alone"},
    {"--seed", "N", "rules, engine: seed of the random games (1)"},
    {"--nodes", "N", "engine: for each position (200000)"},
    {"--games", "N",
     "play so many games (rules: of each kind, instead of for a time), or start so\n"
     "                     many players"},
    {"--time", "MS", "rules: CPU time for each kind (1000)"},
    {"--port", "P", "referee: where the players connect (8888)"},
    {"--tcp", NULL, "player: connect by TCP"},
    {"--sleep", "MS", "player: sleep before every answer"},
    {"--think", "MS", "player: work for so long before every answer"},
    OPTION_JSON,
};

const struct command command_bench = {
    .name = "bench",
    .arguments = "[WHAT]",
    .words_max = 1,
    .summary = "measure this program: rules, engine, referee, box",
    .help = "rules: random games a second on one core, through count and n-th legal move.\n"
            "engine: positions a second, and a signature that changes when the search does.\n"
            "referee: CPU and wall time of a refereed move, beside a bare ping-pong of the same "
            "bytes.\n"
            "box: start of a boxed player beside one that is not, and freezing it.\n"
            "Figures are CPU time unless they say wall.\n",
    COMMAND_OPTIONS(options),
    .run = bench_run,
};
