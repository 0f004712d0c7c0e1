// SPDX-License-Identifier: MIT
// `arbiter game`: games that come as folders, written, checked, added and removed.
#include "cli/game/game.h"

#include "base/plain.h"
#include "cli/setup.h"
#include "folder/proxy.h"
#include "games/game.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *data_of(const struct args *args) {
    const char *data = args_value(args, "--data");
    return data ? data : folder_data();
}

static bool needs(const struct args *args, int words, const char *usage, struct err *err) {
    return args->words == words || err_set(err, "it is used so: arbiter game %s", usage);
}

// One of ours has the name.
static bool refuse_clash(const char *name, struct err *err) {
    const struct game *game = game_find(name);
    return !game || folder_of(game) ||
           err_set(err, "there is a game of ours called '%s'; give yours another name", name);
}

static bool new_game(const struct args *args, struct err *err) {
    const char *like = args_value(args, "--like");
    if (args->words != 3 && !needs(args, 2, "new NAME [FOLDER] [--like EXAMPLE]", err))
        return false;
    const char *name = args->word[1], *folder = args->words == 3 ? args->word[2] : name;
    if (!refuse_clash(name, err) || !game_new(name, like ? like : "gomoku", folder, err))
        return false;
    printf("%s is a game that plays: change rules.c, game.conf, board.conf and rules.*.md there.\n"
           "next: arbiter game check %s\n"
           "then: arbiter game add %s\n",
           folder, folder, folder);
    return true;
}

// Makes it; what the compiler remarks is printed.
static bool make(struct add *add, const char *source, struct err *err) {
    const bool good = add_make(add, source, err);
    if (add->said.length)
        plain_write(stderr, add->said.data, add->said.length);
    return good && refuse_clash(add->name, err);
}

static bool check_game(const struct args *args, struct err *err) {
    struct add add = {.name = ""};
    if (!needs(args, 2, "check FOLDER", err))
        return false;
    const bool good = make(&add, args->word[1], err) && game_check(&add, true, err);
    if (good)
        printf("%s is a game.\n", add.name);
    add_done(&add);
    return good;
}

static bool add_game(const struct args *args, struct err *err) {
    struct add add = {.name = ""};
    if (!needs(args, 2, "add FOLDER [--data DIR]", err))
        return false;
    if (!*data_of(args))
        return err_set(err, "there is no home folder to keep games in; say where: --data DIR");
    const bool good = make(&add, args->word[1], err) && game_check(&add, false, err) &&
                      add_keep(&add, data_of(args), err);
    if (good)
        printf("%s is known from now on (%s/games/%s).\n"
               "try it: arbiter match %s builtin random --games 10 --swap --time 0.1\n",
               add.name, data_of(args), add.name, add.name);
    add_done(&add);
    return good;
}

static bool list_games(const struct args *args, struct err *err) {
    if (!needs(args, 1, "list", err))
        return false;
    for (int i = 0; i < game_count(); i++) {
        const struct folder *folder = folder_of(game_nth(i));
        plain_print(stdout, "%-16s %-30s %s\n", game_nth(i)->name, game_nth(i)->title,
                    folder ? folder->sum : "ours");
    }
    return true;
}

static bool remove_game(const struct args *args, struct err *err) {
    if (!needs(args, 2, "remove NAME [--data DIR]", err))
        return false;
    const struct game *game = game_find(args->word[1]);
    if (game && !folder_of(game))
        return err_set(err, "%s is one of ours and stays", args->word[1]);
    if (!add_remove(args->word[1], data_of(args), err))
        return false;
    printf("%s is no longer known.\n", args->word[1]);
    return true;
}

// For the server, which asks the rules of games from outside here; nobody types it.
static bool host_game(const struct args *args, struct err *err) {
    const struct game *game =
        needs(args, 2, "host NAME", err) ? setup_game(args->word[1], err) : NULL;
    return game && proxy_host(game, STDIN_FILENO, STDOUT_FILENO) == 0;
}

static const struct {
    const char *word;
    bool (*run)(const struct args *args, struct err *err);
} actions[] = {{"new", new_game},    {"check", check_game},   {"add", add_game},
               {"list", list_games}, {"remove", remove_game}, {"host", host_game}};

static int game_run(const struct args *args, struct err *err) {
    char names[80] = "";
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(args->word[0], actions[i].word) == 0)
            return actions[i].run(args, err) ? 0 : -1;
        err_list(names, sizeof names, actions[i].word);
    }
    err_set(err, "game does not know '%.60s'; it knows %s", args->word[0], names);
    return -1;
}

static const struct option options[] = {
    {"--like", "EXAMPLE", "new: the example that it begins as (gomoku)"},
};

const struct command command_game = {
    .name = "game",
    .arguments = "new|check|add|list|remove [NAME|FOLDER]",
    .words_min = 1,
    .words_max = 3,
    .summary = "games that come as folders: write, check, add, list, remove",
    .help = "A game is a folder with its rules in one file of C (docs/adding-a-game.md).\n"
            "  new NAME [FOLDER]  writes a folder that already plays, to be changed\n"
            "  check FOLDER       builds it, tries the whole contract on random games and texts,\n"
            "                     and says what is broken, where\n"
            "  add FOLDER         makes it known: every command takes it by its name\n"
            "  list               all games, with the checksum of those that were added\n"
            "  remove NAME        forgets one that was added; its games on record stay\n"
            "Example: arbiter game new mygame --like breakthrough\n",
    COMMAND_OPTIONS(options),
    .run = game_run,
};
