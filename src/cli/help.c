// SPDX-License-Identifier: MIT
#include "cli/help.h"

#include "spec/spec.h"
#include "wire/wire.h"

#include <string.h>

void help_list(FILE *file, const struct command *const *commands, int count) {
    fprintf(file, "arbiter runs board-game AI contests: the games, their rules, their players.\n\n"
                  "usage: arbiter COMMAND ...\n\ncommands:\n");
    for (int i = 0; i < count; i++)
        fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(file, "  %-10s %s\n", "help", "help on a command: arbiter help COMMAND");
    fprintf(file, "\ngames:\n");
    for (int i = 0; i < game_count(); i++)
        fprintf(file, "  %-10s %s\n", game_nth(i)->name, game_nth(i)->title);
    fprintf(file, "\narbiter rules GAME --help lists the rules of a game that can be changed.\n");
}

static void print_option(FILE *file, const struct option *o) {
    char left[40];
    snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    fprintf(file, "  %-18s %s\n", left, o->help);
}

static void print_protocols(FILE *file) {
    static const struct wire_protocol *const protocols[] = {&wire_stcp, &wire_sixline};
    fprintf(file, "\ngames that have a protocol beside abp:\n");
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
        char games[400];
        spec_list_games(protocols[i]->name, games, sizeof games);
        fprintf(file, "  %-10s %s\n", protocols[i]->name, games);
    }
}

void help_command(FILE *file, const struct command *command) {
    bool has_data = false; // words of its own for the option that all have
    fprintf(file, "usage: arbiter %s %s%s[options]\n\n%s\noptions:\n", command->name,
            command->arguments, command->arguments[0] ? " " : "", command->help);
    for (int i = 0; i < command->option_count; i++) {
        print_option(file, &command->options[i]);
        has_data |= strcmp(command->options[i].name, option_data.name) == 0;
    }
    if (!has_data)
        print_option(file, &option_data);
    if (command->lists_protocols)
        print_protocols(file);
    if (command->takes_game)
        fprintf(file, "\narbiter %s GAME --help lists the rules that --set changes.\n",
                command->name);
}

void help_game(FILE *file, const struct game *game) {
    fprintf(file, "%s (%s)\n%s\n", game->name, game->title,
            game->rule_count ? "rules, each changed by --set KEY=VALUE:" : "no rules to change");
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *rule = &game->rules[i];
        char accepted[WHY_TEXT_MAX];
        rule_describe(rule, accepted);
        fprintf(file, "  %s=%s (default)\n      %s\n      accepted: %s\n", rule->key,
                rule->standard, rule->help, accepted);
    }
}
