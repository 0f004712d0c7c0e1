// SPDX-License-Identifier: MIT
// `arbiter train`: fits what an engine has learned, by the engine's own trainer.
#include "base/clock.h"
#include "cli/setup.h"
#include "train/trainers.h"

#include <stdio.h>
#include <string.h>

static const struct trainer *find_trainer(const char *game, const char *part, struct err *err) {
    char known[ERR_TEXT_MAX / 2] = "";
    for (const struct trainer *t = trainers; t->game; t++) {
        if (strcmp(t->game, game) == 0 && strcmp(t->part, part) == 0)
            return t;
        char name[64];
        snprintf(name, sizeof name, "%s %s", t->game, t->part);
        err_list(known, sizeof known, name);
    }
    err_set(err, "%s has no '%.40s' to train; there are %s", game, part, known);
    return NULL;
}

static void say(void *listener, const char *line) {
    (void)listener;
    printf("%s\n", line);
    fflush(stdout);
}

static bool read_training(struct training *t, const struct args *args, struct err *err) {
    struct setup setup;
    int64_t seed, us = 0;
    const char *time = args_value(args, "--time"), *out = args_value(args, "--out");
    if (!setup_read(&setup, args, err) ||
        !args_number(args, (struct number_option){"--seed", 1, 0, INT64_MAX}, &seed, err) ||
        !args_number(args, (struct number_option){"--games", 0, 1, 1000000000}, &t->games, err) ||
        !args_int(args, (struct number_option){"--generations", 0, 1, 100}, &t->generations, err) ||
        !args_number(args, (struct number_option){"--nodes", 0, 1, INT64_MAX}, &t->nodes, err) ||
        !args_int(args, (struct number_option){"--threads", 1, 1, 64}, &t->threads, err) ||
        (time && !read_seconds(time, "--time", &us, err)))
        return false;
    if (!out)
        return err_set(err, "--out DIR is missing: where to keep the games and the result");
    t->rules = setup.rules;
    t->folder = out;
    t->seed = (uint64_t)seed;
    t->until_us = time ? clock_now_us() + us : 0;
    return true;
}

static int train_run(const struct args *args, struct err *err) {
    struct training t = {.say = say};
    if (!read_training(&t, args, err))
        return -1;
    const struct trainer *trainer =
        find_trainer(t.rules.game->name, args->words > 1 ? args->word[1] : "weights", err);
    if (!trainer)
        return -1;
    if (trainer->run(&t, err))
        return 0;
    if (err->set)
        return -1;
    printf("the time is up; the same command goes on from here\n");
    return 0;
}

static const struct option options[] = {
    OPTION_SET,
    {"--out", "DIR", "where games and results are kept; goes on with what is there"},
    {"--seed", "N", "seed of what is drawn at random (1)"},
    {"--games", "N", "games of the last generation"},
    {"--generations", "N", "how often to play and learn"},
    {"--nodes", "N", "positions looked at for a move, in games that only measure (worth)"},
    {"--threads", "N", "threads to work with (1)"},
    {"--time", "S",
     "stop after so many seconds, when the file at hand is made; the same command goes on"},
};

const struct command command_train = {
    .name = "train",
    .arguments = "GAME [PART]",
    .words_min = 1,
    .words_max = 2,
    .summary = "train a built-in player from its own games",
    .help = "Plays games, fits weights to them, and plays again with those. May be stopped at any\n"
            "moment. The same seed and options give the same weights. PART is what to train;\n"
            "weights if nothing is said.\n"
            "Example: arbiter train reversi --set board=othello --out DIR --games 50000\n",
    COMMAND_OPTIONS(options),
    .takes_game = true,
    .run = train_run,
};
