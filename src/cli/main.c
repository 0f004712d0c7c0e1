// SPDX-License-Identifier: MIT
// The program: finds the command, reads its arguments, reports errors.
#include "cli/command.h"
#include "cli/help.h"
#include "cli/setup.h"
#include "folder/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_serve,  &command_demo,   &command_match, &command_contest, &command_worker,
    &command_replay, &command_kit,    &command_bot,   &command_analyse, &command_solve,
    &command_train,  &command_rules,  &command_perft, &command_bench,   &command_similar,
    &command_doctor, &command_submit, &command_game,
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int report(const struct err *err) {
    fprintf(stderr, "arbiter: %s\n", err->text);
    return EXIT_USAGE;
}

static int unknown_command(const char *name) {
    struct err err = {.set = false};
    char names[ERR_TEXT_MAX / 2] = "";
    for (int i = 0; i < COMMANDS; i++)
        err_list(names, sizeof names, commands[i]->name);
    err_set(&err, "there is no command '%.60s'; there are %s, help", name, names);
    return report(&err);
}

static bool is_help(const char *word) { return !strcmp(word, "--help") || !strcmp(word, "-h"); }

static bool asks_for_help(char **argv) {
    for (; *argv && strcmp(*argv, "--") != 0; argv++)
        if (is_help(*argv))
            return true;
    return false;
}

// Where games lie that came as folders: it is needed before the arguments are read, for they name
// games. The server never runs their rules itself, and knows those of its data folder and those of
// the person who starts it.
static void find_games(const struct command *command, char **argv) {
    const bool serves = command == &command_serve;
    char own[FOLDER_DATA_MAX], data[FOLDER_DATA_MAX];
    folder_default_data(own);
    snprintf(data, sizeof data, "%s", serves ? SERVE_DATA : own);
    for (; *argv && strcmp(*argv, "--") != 0; argv++)
        if (strcmp(*argv, "--data") == 0 && argv[1])
            snprintf(data, sizeof data, "%s", argv[1]);
        else if (strncmp(*argv, "--data=", 7) == 0)
            snprintf(data, sizeof data, "%s", *argv + 7);
    folder_open(data, serves);
    if (serves && *own)
        folder_open_after(own);
}

// Help on a command, and on the rules of the game if one is among the words.
static int show_help(const struct command *command, char **words) {
    const char *name = NULL;
    struct err err = {.set = false};
    help_command(stdout, command);
    if (!command->takes_game)
        return 0;
    for (; *words; words++)
        if (game_find(*words) || (!name && **words != '-'))
            name = *words;
    const struct game *game = name ? setup_game(name, &err) : NULL;
    if (game) {
        printf("\n");
        help_game(stdout, game);
    }
    return err.set ? report(&err) : 0;
}

static int help(char **words) {
    find_games(NULL, words);
    if (!words[0] || strcmp(words[0], "help") == 0) {
        help_list(stdout, commands, COMMANDS);
        return 0;
    }
    const struct command *command = find_command(words[0]);
    return command ? show_help(command, words + 1) : unknown_command(words[0]);
}

static int run_command(const struct command *command, char **argv) {
    struct args args;
    struct err err = {.set = false};
    if (!args_read(&args, command, argv, &err))
        return report(&err);
    const int code = command->run(&args, &err);
    return code < 0 ? report(&err) : code;
}

static int run(int argc, char **argv) {
    if (argc < 2 || is_help(argv[1]))
        return help(argv + argc);
    if (!strcmp(argv[1], "--version")) {
        printf("arbiter %s\n", ARBITER_VERSION);
        return 0;
    }
    if (!strcmp(argv[1], "help"))
        return help(argv + 2);
    const struct command *command = find_command(argv[1]);
    if (!command)
        return unknown_command(argv[1]);
    find_games(command, argv + 2);
    if (asks_for_help(argv + 2))
        return show_help(command, argv + 2);
    return run_command(command, argv + 2);
}

int main(int argc, char **argv) {
    const int code = run(argc, argv);
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (code != EXIT_USAGE) // that has been said
        fprintf(stderr, "arbiter: cannot write the output%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
    return code ? code : EXIT_FAILURE;
}
