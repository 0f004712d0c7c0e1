// SPDX-License-Identifier: MIT
// `arbiter bot`: a built-in player as a contestant, on the abp protocol (docs/protocol.md, D).
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "cli/setup.h"
#include "engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bot {
    const struct game *game;
    enum level level;
    int threads;
    uint64_t seed, nodes;
    int64_t time_us;      // for every answer, whatever the judge says; 0: as he says
    struct ruleset rules; // that the brain is for
    struct brain *brain;  // or NULL
};

struct request {
    int id, due;
    int64_t time_us, begin_us; // to answer, from when it came
    struct ruleset rules;
    union game_state state;
};

// Reads "go id=N time=N due=N | settings | moves"; cuts the line to pieces.
static bool read_request(const struct bot *bot, char *line, struct request *r) {
    struct err err = {.set = false};
    char why[WHY_TEXT_MAX], *bad, *settings = strchr(line, '|');
    char *moves = settings ? strchr(settings + 1, '|') : NULL;
    int ply;
    if (!moves ||
        sscanf(line, "go id=%d time=%" SCNd64 " due=%d", &r->id, &r->time_us, &r->due) != 3)
        return false;
    r->time_us *= 1000;
    *settings++ = *moves++ = '\0';
    ruleset_init(&r->rules, bot->game);
    for (char *part; (part = strsep(&settings, ";"));) {
        part += strspn(part, " ");
        for (size_t n = strlen(part); n > 0 && part[n - 1] == ' '; n--)
            part[n - 1] = '\0';
        if (*part && !setup_rule(&r->rules, part, &err))
            return false;
    }
    return bot->game->start(&r->state, &r->rules, NULL, why) &&
           !game_play_line(bot->game, &r->state, moves, &ply, &bad);
}

// A brain for these rules: the one it has, or a new one.
static bool prepare(struct bot *bot, const struct ruleset *rules, struct err *err) {
    if (bot->brain && memcmp(&bot->rules, rules, sizeof *rules) == 0)
        return true;
    brain_free(bot->brain);
    bot->rules = *rules;
    bot->brain = brain_new(rules, bot->level, bot->threads, bot->seed, err);
    return bot->brain != NULL;
}

// What is left to think with, shared among thoughts still to come, if there are to be several.
static struct limits limits_now(const struct bot *bot, const struct request *r, int due) {
    const struct engine *engine = engine_find(bot->game->name);
    const int64_t judged = bot->time_us ? bot->time_us : r->time_us;
    const int64_t left = brain_time_us(judged) - (clock_now_us() - r->begin_us);
    const int thoughts = engine && engine->thinks_turns ? 1 : due;
    return (struct limits){.time_us = !judged           ? 0
                                      : left > thoughts ? left / thoughts
                                                        : 1,
                           .nodes = bot->nodes};
}

// The moves that are due, of one thought as long as it reaches.
static void print_moves(struct bot *bot, struct request *r) {
    struct thought thought = {.length = 0};
    char text[MOVE_TEXT_MAX];
    for (int i = 0, next = 0; i < r->due && !game_is_over(bot->game, &r->state); i++) {
        if (next >= thought.length) {
            const struct limits limits = limits_now(bot, r, r->due - i);
            brain_think(bot->brain, &r->state, &limits, &thought);
            next = 0;
        }
        const move m = thought.pv[next++];
        bot->game->write_move(&r->state, m, text);
        bot->game->apply(&r->state, m);
        printf("%s%s", i ? "; " : "", text);
    }
}

static bool answer(struct bot *bot, char *line, struct err *err) {
    struct request request = {.begin_us = clock_now_us()};
    if (!read_request(bot, line, &request)) {
        printf("# the request was not understood\n");
        return true;
    }
    if (!prepare(bot, &request.rules, err))
        return false;
    printf("move id=%d ", request.id);
    print_moves(bot, &request);
    printf("\n");
    return true;
}

static bool greet(const struct bot *bot, const char *line) {
    const bool right = strncmp(line, "abp 1 ", 6) == 0 && strcmp(line + 6, bot->game->name) == 0;
    if (right)
        printf("ready arbiter %s\n", level_word(bot->level));
    else
        printf("refuse this player plays %s by abp 1\n", bot->game->name);
    return right;
}

static bool read_bot(struct bot *bot, const struct args *args, struct err *err) {
    const char *level = args_value(args, "--level"), *protocol = args_value(args, "--protocol"),
               *time = args_value(args, "--time");
    int64_t seed, nodes, threads;
    bot->game = setup_game(args->word[0], err);
    if (!bot->game || !args_number(args, "--seed", 1, 0, INT64_MAX, &seed, err) ||
        !args_number(args, "--nodes", 0, 1, INT64_MAX, &nodes, err) ||
        !args_number(args, "--threads", 1, 1, 64, &threads, err) ||
        (time && !read_seconds(time, "--time", &bot->time_us, err)))
        return false;
    bot->seed = (uint64_t)seed;
    bot->nodes = (uint64_t)nodes;
    bot->threads = (int)threads;
    bot->level = level_find(level ? level : "strong");
    if (bot->level == LEVEL_COUNT)
        return err_set(err, "there is no level '%.40s'; accepted: easy, normal, strong, random",
                       level);
    return !protocol || strcmp(protocol, "abp") == 0 ||
           err_set(err, "the built-in players speak abp so far, not '%.40s'", protocol);
}

// Makes the brain for the standard rules before it is asked, so that the first answer is no later.
static bool play(struct bot *bot, struct err *err) {
    struct ruleset rules;
    char *line = NULL;
    size_t room = 0;
    ruleset_init(&rules, bot->game);
    bool more = prepare(bot, &rules, err);
    while (more && getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "abp ", 4) == 0)
            more = greet(bot, line);
        else if (strncmp(line, "go ", 3) == 0)
            more = answer(bot, line, err);
        else
            more = strcmp(line, "quit") != 0;
        fflush(stdout);
    }
    free(line);
    return !err->set;
}

static int run(const struct args *args, struct err *err) {
    struct bot bot = {.brain = NULL};
    const bool good = read_bot(&bot, args, err) && play(&bot, err);
    brain_free(bot.brain);
    return good ? 0 : -1;
}

static const struct option options[] = {
    {"--protocol", "NAME", "what it speaks: abp"},
    {"--level", "L", "easy, normal, strong, or random (strong)"},
    {"--time", "S", "seconds for an answer (as the judge says)"},
    {"--nodes", "N", "look at no more than so many positions for a move"},
    {"--threads", "N", "threads to think with (1)"},
    {"--seed", "N", "seed of what is drawn at random (1)"},
};

const struct command command_bot = {
    .name = "bot",
    .arguments = "GAME",
    .words_min = 1,
    .words_max = 1,
    .summary = "be a built-in player, on standard input and output",
    .help = "Speaks the abp protocol of docs/protocol.md until it is told to quit.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
