// SPDX-License-Identifier: MIT
// Words and options may be mixed, up to "--". A word that begins with a dash is an option unless a
// digit follows it, for a team or a number may be negative. Every option must be in the command's
// table, which help is printed from too; of one that is given several times the last value counts,
// unless the command looks at all of them.
#include "cli/command.h"

#include "base/plain.h"
#include "base/whole.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

const struct option option_data = {"--data", "DIR",
                                   "where games lie that were added (~/.local/share/arbiter)"};

static bool is_called(const struct option *option, const char *name, size_t length) {
    return strlen(option->name) == length && memcmp(option->name, name, length) == 0;
}

static const struct option *find_option(const struct command *command, const char *name,
                                        size_t length) {
    for (int i = 0; i < command->option_count; i++)
        if (is_called(&command->options[i], name, length))
            return &command->options[i];
    return is_called(&option_data, name, length) ? &option_data : NULL;
}

static bool refuse_option(const struct command *command, const char *name, int length,
                          struct err *err) {
    char names[ERR_TEXT_MAX / 2] = "";
    for (int i = 0; i < command->option_count; i++)
        err_list(names, sizeof names, command->options[i].name);
    if (find_option(command, option_data.name, strlen(option_data.name)) == &option_data)
        err_list(names, sizeof names, option_data.name);
    return err_set(err, "%s has no option %.*s; it has %s", command->name,
                   length < 60 ? length : 60, name, names);
}

// Reads one option at argv; returns how many words it took, or 0 with an error.
static int read_option(struct args *args, const struct command *command, char **argv,
                       struct err *err) {
    const char *equals = strchr(argv[0], '=');
    const size_t length = equals ? (size_t)(equals - argv[0]) : strlen(argv[0]);
    const struct option *option = find_option(command, argv[0], length);
    const char *value = equals ? equals + 1 : argv[1];
    if (!option)
        return refuse_option(command, argv[0], (int)length, err);
    if (!option->value && equals)
        return err_set(err, "%s takes no value", option->name);
    if (option->value && !value)
        return err_set(err, "%s needs a value: %s %s", option->name, option->name, option->value);
    if (args->options == ARGS_MAX)
        return err_set(err, "more than %d options", ARGS_MAX);
    args->given[args->options].option = option;
    args->given[args->options++].value = option->value ? value : "";
    return option->value && !equals ? 2 : 1;
}

bool args_read(struct args *args, const struct command *command, char **argv, struct err *err) {
    *args = (struct args){.words = 0};
    bool ended = false; // by "--"
    while (*argv) {
        int taken = 1;
        const bool number = argv[0][0] == '-' && argv[0][1] >= '0' && argv[0][1] <= '9';
        if (!ended && strcmp(*argv, "--") == 0)
            ended = true;
        else if (!ended && !number && argv[0][0] == '-' && argv[0][1] != '\0')
            taken = read_option(args, command, argv, err);
        else if (args->words == command->words_max)
            return err_set(err, "'%s' is one argument too many: arbiter %s %s", *argv,
                           command->name, command->arguments);
        else
            args->word[args->words++] = *argv;
        if (taken == 0)
            return false;
        argv += taken;
    }
    if (args->words < command->words_min)
        return err_set(err, "an argument is missing: arbiter %s %s", command->name,
                       command->arguments);
    return true;
}

const char *args_value(const struct args *args, const char *name) {
    const char *value = NULL;
    for (int i = 0; i < args->options; i++)
        if (strcmp(args->given[i].option->name, name) == 0)
            value = args->given[i].value;
    return value;
}

bool read_number(const char *words, const char *what, int64_t min, int64_t max, int64_t *number,
                 struct err *err) {
    assert(min <= max);
    if (text_whole(words, min, max, number))
        return true;
    return err_set(err, "%s cannot be '%s'; accepted: %" PRId64 "..%" PRId64, what, words, min,
                   max);
}

bool read_seconds(const char *words, const char *what, int64_t *us, struct err *err) {
    return text_seconds(words, us) ||
           err_set(err, "%s cannot be '%.40s'; accepted: seconds from 0.001 to 86400", what, words);
}

bool args_number(const struct args *args, struct number_option option, int64_t *number,
                 struct err *err) {
    const char *value = args_value(args, option.name);
    *number = option.standard;
    return !value || read_number(value, option.name, option.least, option.most, number, err);
}

bool args_int(const struct args *args, struct number_option option, int *number, struct err *err) {
    int64_t whole;
    assert(option.least >= INT_MIN && option.most <= INT_MAX);
    const bool good = args_number(args, option, &whole, err);
    *number = (int)whole;
    return good;
}

void command_note(void *owner, const char *words) {
    (void)owner;
    plain_print(stderr, "arbiter: %s\n", words);
}
