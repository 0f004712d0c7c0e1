// SPDX-License-Identifier: MIT
// `arbiter train`: fits what an engine has learned, by the engine's own trainer.
#include "base/clock.h"
#include "base/path.h"
#include "base/whole.h"
#include "cli/setup.h"
#include "folder/folder.h"
#include "folder/learned.h"
#include "train/trainers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PLACE_MAX = 4600 };

static const int64_t DAY_US = INT64_C(86400000000);

static const struct trainer *find_trainer(const struct game *game, const char *part,
                                          struct err *err) {
    char known[ERR_TEXT_MAX / 2] = "";
    for (const struct trainer *t = trainers;; t++) {
        const bool of_game = t->game ? strcmp(t->game, game->name) == 0 : folder_of(game) != NULL;
        if (of_game && strcmp(t->part, part) == 0)
            return t;
        if (of_game)
            err_list(known, sizeof known, t->part);
        if (!t->game)
            break;
    }
    if (*known)
        err_set(err, "%s has no '%.40s' to train; accepted: %s", game->name, part, known);
    else
        err_set(err, "%s has nothing to train: its player has nothing to learn from games",
                game->name);
    return NULL;
}

// What games without an engine of their own are not trained with.
static bool refuse_unused(const struct args *args, struct err *err) {
    static const char *const names[] = {"--generations", "--nodes", "--threads", "--weights"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (args_value(args, names[i]))
            return err_set(err, "%s is for games with an engine of their own", names[i]);
    return true;
}

// "30m", "2h" or "90s"; without a letter they are seconds.
static bool read_duration(const char *text, int64_t *us, struct err *err) {
    char number[32];
    const size_t length = strlen(text);
    const char last = length > 1 ? text[length - 1] : '\0';
    const int64_t unit = last == 'm' ? 60 : last == 'h' ? 3600 : 1;
    const bool named = unit > 1 || last == 's';
    snprintf(number, sizeof number, "%.*s", (int)(length - named), text);
    if (length >= sizeof number || !text_seconds(number, us) || *us > DAY_US / unit)
        return err_set(
            err, "--time cannot be '%.40s'; accepted: seconds, or as 30m or 2h, to a day", text);
    *us *= unit;
    return true;
}

// Where a training lies if nothing is said: of a game that was added, in its folder.
static bool place_training(struct training *t, char place[static PLACE_MAX], struct err *err) {
    const struct folder *folder = folder_of(t->rules.game);
    if (t->folder)
        return true;
    if (!folder)
        return err_set(err, "--out DIR is missing: where to keep the games and the result");
    if (!ruleset_is_standard(&t->rules))
        return err_set(err,
                       "%s is played with what is learned under its own settings; to learn under "
                       "others name another folder by --out DIR",
                       t->rules.game->name);
    snprintf(place, PLACE_MAX, "%.4000s/training", folder->path);
    t->folder = place;
    return true;
}

// What a training in a game's own folder has made becomes what the game is played with.
static bool install(const struct training *t, struct err *err) {
    char to[PLACE_MAX];
    struct buf bytes = {.data = NULL};
    snprintf(to, sizeof to, "%.4000s/%s", folder_of(t->rules.game)->path, learned_weights_name);
    bool good = train_load(t, "weights.bin", &bytes, err);
    if (good && !path_write(to, bytes.data, bytes.length))
        good = err_set(err, "cannot write %.300s: %s", to, strerror(errno));
    if (good)
        printf("the weights lie in %s\n", to);
    buf_done(&bytes);
    return good;
}

// Weights of a training elsewhere are not used by themselves.
static void tell_place(const struct training *t) {
    printf("the weights lie in %s/%s; %s is played with them %sonce they lie in %s\n", t->folder,
           learned_weights_name, t->rules.game->name,
           ruleset_is_standard(&t->rules) ? "" : "under these settings ",
           folder_of(t->rules.game)->path);
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
        (time && !read_duration(time, &us, err)))
        return false;
    const struct folder *folder = folder_of(setup.game);
    t->rules = setup.rules;
    t->sum = folder ? folder->sum : "";
    t->folder = out;
    t->from = args_value(args, "--weights");
    t->seed = (uint64_t)seed;
    t->until_us = time ? clock_now_us() + us : 0;
    return true;
}

// What only measures may do so beside a training.
static bool run_trainer(const struct trainer *trainer, const struct training *t, bool *done,
                        struct err *err) {
    if (strcmp(trainer->part, "weights") != 0) {
        *done = trainer->run(t, err);
        return !err->set;
    }
    const int lock = train_lock(t, err);
    if (lock < 0)
        return false;
    *done = trainer->run(t, err);
    close(lock);
    return !err->set;
}

static int train_run(const struct args *args, struct err *err) {
    struct training t = {.say = say};
    char place[PLACE_MAX];
    if (!read_training(&t, args, err))
        return -1;
    const bool own = !t.folder && folder_of(t.rules.game);
    const struct trainer *trainer =
        find_trainer(t.rules.game, args->words > 1 ? args->word[1] : "weights", err);
    if (!trainer || !place_training(&t, place, err))
        return -1;
    if (!trainer->game && !refuse_unused(args, err))
        return -1;
    if (t.from && strcmp(trainer->part, "weights") != 0) {
        err_set(err, "--weights is for training weights");
        return -1;
    }
    bool done;
    if (!run_trainer(trainer, &t, &done, err) || (own && !install(&t, err)))
        return -1;
    if (!own && folder_of(t.rules.game))
        tell_place(&t);
    if (!done)
        printf("the time is up; the same command goes on from here\n");
    return 0;
}

static const struct option options[] = {
    OPTION_SET,
    {"--out", "DIR",
     "where games and results are kept; goes on with what is there (of a game\n"
     "                     that was added: in its folder)"},
    {"--seed", "N", "seed of what is drawn at random (1)"},
    {"--games", "N", "games of the last generation"},
    {"--time", "S|30m|2h",
     "stop after so many seconds, minutes or hours,\n"
     "                     when the file at hand is made; the same "
     "command goes on"},
    {"--generations", "N",
     "how often to play and learn; as the following not of a game that was added"},
    {"--weights", "FILE", "begin with weights that are there"},
    {"--nodes", "N", "positions looked at for a move, where moves are searched by nodes"},
    {"--threads", "N", "threads to work with (1)"},
};

const struct command command_train = {
    .name = "train",
    .arguments = "GAME [PART]",
    .words_min = 1,
    .words_max = 2,
    .summary = "train a built-in player from its own games",
    .help =
        "Plays games, fits weights to them, and plays again with those. May be stopped at any\n"
        "moment. PART is what to train; weights if nothing is said. The same seed and options\n"
        "give the same weights, where --time does not end it.\n"
        "A game that was added learns what its cells and small patterns of them are worth, and\n"
        "is played with that from then on. With --set under other settings than its own it\n"
        "needs --out, and the weights are not used by themselves. How many random games count\n"
        "beside weights is tried by the clock, so that may differ with the same seed.\n"
        "Example: arbiter train reversi --set board=othello --out DIR --games 50000\n",
    COMMAND_OPTIONS(options),
    .takes_game = true,
    .run = train_run,
};
