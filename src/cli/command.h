// SPDX-License-Identifier: MIT
// Subcommands as a table: the arguments each takes, its options, and the help made from them.
// Arguments point into argv and live as long as the program.
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { ARGS_MAX = 4096, EXIT_USAGE = 2 };

struct option {
    const char *name;  // "--seed"
    const char *value; // "N", or NULL for a flag
    const char *help;
};

#define COMMAND_OPTIONS(list) .options = list, .option_count = sizeof(list) / sizeof *(list)

struct args {
    const char *word[ARGS_MAX]; // what is no option, in order
    int words;
    struct {
        const struct option *option;
        const char *value;
    } given[ARGS_MAX]; // options in order
    int options;
};

struct command {
    const char *name;
    const char *arguments; // as shown in the usage line
    int words_min, words_max;
    const char *summary; // one line, for the list of commands
    const char *help;    // what the command reads and prints
    const struct option *options;
    int option_count;
    bool takes_game;      // the first word is a game, and help shows its rules
    bool lists_protocols; // help says which games speak which
    int (*run)(const struct args *args, struct err *err); // exit code, or -1 with err
};

extern const struct command command_rules;
extern const struct command command_perft;
extern const struct command command_bench;
extern const struct command command_demo;
extern const struct command command_match;
extern const struct command command_bot;
extern const struct command command_analyse;
extern const struct command command_solve;
extern const struct command command_replay;
extern const struct command command_kit;
extern const struct command command_train;
extern const struct command command_serve;
extern const struct command command_contest;
extern const struct command command_worker;
extern const struct command command_similar;
extern const struct command command_doctor;
extern const struct command command_submit;
extern const struct command command_game;

// The option that every command has; what it is for a server that is not told.
extern const struct option option_data;
#define SERVE_DATA "data"

// A remark, on standard error.
void command_note(void *owner, const char *words);

// Reads words and options, `--name value` or `--name=value`.
bool args_read(struct args *args, const struct command *command, char **argv, struct err *err);
// The last value given for an option, or NULL; "" for a flag.
const char *args_value(const struct args *args, const char *name);
// The number given for an option, or the standard.
struct number_option {
    const char *name;
    int64_t standard, least, most;
};
bool args_number(const struct args *args, struct number_option option, int64_t *number,
                 struct err *err);
// The same where it fits into an int.
bool args_int(const struct args *args, struct number_option option, int *number, struct err *err);
// A number written in `words`; `what` names it in the error.
bool read_number(const char *words, const char *what, int64_t min, int64_t max, int64_t *number,
                 struct err *err);
// Seconds written in `words`, as microseconds.
bool read_seconds(const char *words, const char *what, int64_t *us, struct err *err);
