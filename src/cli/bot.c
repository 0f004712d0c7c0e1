// SPDX-License-Identifier: MIT
// `arbiter bot`: a built-in player as a contestant, on the abp protocol (docs/protocol.md, D).
#include "base/buf.h"
#include "base/mem.h"
#include "cli/setup.h"
#include "engine/simple.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bot {
    const struct game *game;
    struct rng rng;
    bool random;
    const char *level;
};

// Reads "go id=N time=N due=N | settings | moves" into a state; cuts the line to pieces.
static bool read_request(const struct bot *bot, char *line, int *id, int *due,
                         union game_state *state) {
    struct ruleset rules;
    struct err err = {.set = false};
    char why[WHY_TEXT_MAX], *bad, *settings = strchr(line, '|');
    char *moves = settings ? strchr(settings + 1, '|') : NULL;
    int ply;
    if (!moves || sscanf(line, "go id=%d time=%*d due=%d", id, due) != 2)
        return false;
    *settings++ = *moves++ = '\0';
    ruleset_init(&rules, bot->game);
    for (char *part; (part = strsep(&settings, ";"));) {
        part += strspn(part, " ");
        for (size_t n = strlen(part); n > 0 && part[n - 1] == ' '; n--)
            part[n - 1] = '\0';
        if (*part && !setup_rule(&rules, part, &err))
            return false;
    }
    return bot->game->start(state, &rules, NULL, why) &&
           !game_play_line(bot->game, state, moves, &ply, &bad);
}

static void answer(struct bot *bot, char *line) {
    union game_state state;
    int id, due;
    char text[MOVE_TEXT_MAX];
    if (!read_request(bot, line, &id, &due, &state)) {
        printf("# the request was not understood\n");
        return;
    }
    printf("move id=%d ", id);
    for (int i = 0; i < due && !game_is_over(bot->game, &state); i++) {
        const move m = bot->random ? simple_random(bot->game, &state, &bot->rng)
                                   : simple_greedy(bot->game, &state, &bot->rng);
        bot->game->write_move(&state, m, text);
        bot->game->apply(&state, m);
        printf("%s%s", i ? "; " : "", text);
    }
    printf("\n");
}

static bool greet(const struct bot *bot, const char *line) {
    const bool right = strncmp(line, "abp 1 ", 6) == 0 && strcmp(line + 6, bot->game->name) == 0;
    if (right)
        printf("ready arbiter %s\n", bot->level);
    else
        printf("refuse this player plays %s by abp 1\n", bot->game->name);
    return right;
}

static int run(const struct args *args, struct err *err) {
    const char *level = args_value(args, "--level"), *protocol = args_value(args, "--protocol");
    int64_t seed;
    struct bot bot = {.game = setup_game(args->word[0], err), .level = level ? level : "strong"};
    if (!bot.game || !args_number(args, "--seed", 1, 0, INT64_MAX, &seed, err))
        return -1;
    static const char levels[] = "random easy normal strong";
    if (!strstr(levels, bot.level) || strlen(bot.level) < 4) {
        err_set(err, "there is no level '%.40s'; accepted: easy, normal, strong, random", level);
        return -1;
    }
    if (protocol && strcmp(protocol, "abp") != 0) {
        err_set(err, "the built-in players speak abp so far, not '%.40s'", protocol);
        return -1;
    }
    bot.random = strcmp(bot.level, "random") == 0;
    bot.rng.state = (uint64_t)seed;
    char *line = NULL;
    size_t room = 0;
    bool more = true;
    while (more && getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "abp ", 4) == 0)
            more = greet(&bot, line);
        else if (strncmp(line, "go ", 3) == 0)
            answer(&bot, line);
        else
            more = strcmp(line, "quit") != 0;
        fflush(stdout);
    }
    free(line);
    return 0;
}

static const struct option options[] = {
    {"--protocol", "NAME", "what it speaks: abp"},
    {"--level", "L", "easy, normal, strong, or random (strong)"},
    {"--nodes", "N", "look at so many positions a move; the present players do not"},
    {"--threads", "N", "threads to think with; the present players use one"},
    {"--seed", "N", "seed of what is drawn at random (1)"},
};

const struct command command_bot = {
    .name = "bot",
    .arguments = "GAME",
    .words_min = 1,
    .words_max = 1,
    .summary = "be a built-in player, on standard input and output",
    .help = "Speaks the abp protocol of docs/protocol.md until it is told to quit. The built-in "
            "players look\n"
            "one move ahead at present, at every level.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
