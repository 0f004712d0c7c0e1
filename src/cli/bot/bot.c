// SPDX-License-Identifier: MIT
// `arbiter bot`: a built-in player as a contestant, in any protocol that its game is played by.
#include "cli/bot/bot.h"

#include "base/clock.h"
#include "base/cores.h"
#include "cli/teach.h"
#include "engine/engine.h"
#include "folder/folder.h"
#include "folder/learned.h"
#include "wire/wire.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct speech {
    const struct wire_protocol *protocol;
    bool (*speak)(struct bot *bot, struct err *err);
} speeches[] = {
    {&wire_abp, bot_abp},
    {&wire_stcp, bot_stcp},
    {&wire_sixline, bot_sixline},
};

enum { SPEECHES = sizeof speeches / sizeof *speeches };

void bot_prepare(struct bot *bot, const struct ruleset *rules) {
    const int threads = bot->told.threads ? (int)bot->told.threads : 1;
    if (bot->brain && memcmp(&bot->rules, rules, sizeof *rules) == 0)
        return;
    brain_free(bot->brain);
    bot->rules = *rules;
    bot->brain = (bot->told.general ? brain_new_general : brain_new)(rules, bot->told.level,
                                                                     threads, bot->seed);
    if (bot->told.level != LEVEL_RANDOM)
        brain_set_rung(bot->brain, &bot->rung);
    bot->untaught = (struct err){.set = false};
    if (!bot->told.untaught)
        teach_brain(bot->brain, bot->game, &bot->untaught);
}

// Once for the rules at hand, and not before they are known: a brain may have been made for others.
static void tell_untaught(struct bot *bot) {
    if (bot->untaught.set)
        fprintf(stderr, "arbiter: %s\n", bot->untaught.text);
    bot->untaught.set = false;
}

// Whether one thought serves a whole turn; else each of its moves is thought of.
static bool thinks_turns(const struct bot *bot) {
    const struct engine *engine = brain_engine(bot->brain);
    return engine && engine->thinks_turns;
}

// What is left to think with, shared among the thoughts still to come, if there may be several.
// Where there is but one move, a small part is enough to foresee what follows.
static struct limits limits_now(const struct bot *bot, const void *state, int due,
                                int64_t judged_us) {
    enum { HURRY = 50 };
    const int64_t judged = bot->time_us ? bot->time_us : judged_us;
    const int64_t left = brain_time_us(judged) - (clock_now_us() - bot->asked_us);
    const int thoughts = (thinks_turns(bot) ? 1 : due) * (bot->game->count(state) == 1 ? HURRY : 1);
    return (struct limits){.time_us = !judged           ? 0
                                      : left > thoughts ? left / thoughts
                                                        : 1,
                           .nodes = (uint64_t)bot->told.nodes};
}

// A thought of a turn serves as many of the moves as it reaches.
void bot_play(struct bot *bot, void *state, int due, int64_t judged_us, const char *between,
              struct buf *out) {
    struct thought thought = {.length = 0};
    char text[MOVE_TEXT_MAX];
    tell_untaught(bot);
    for (int i = 0, next = 0; i < due && !game_is_over(bot->game, state); i++) {
        if (next >= thought.length || !thinks_turns(bot)) {
            const struct limits limits = limits_now(bot, state, due - i, judged_us);
            brain_think(bot->brain, state, &limits, &thought);
            next = 0;
        }
        const move m = thought.pv[next++];
        bot->game->write_move(state, m, text);
        bot->game->apply(state, m);
        buf_format(out, "%s%s", i ? between : "", text);
    }
    const int64_t left_us = bot->asked_us + bot->slow_us - clock_now_us();
    if (left_us > 0)
        usleep((useconds_t)left_us);
}

void bot_name(const struct bot *bot, struct buf *out) {
    buf_format(out, "arbiter %s", level_word(bot->told.level));
}

static bool read_told(struct bot *bot, const struct args *args, struct err *err) {
    builtin_init(&bot->told);
    for (int i = 0; i < args->options; i++) {
        const char *name = args->given[i].option->name + 2; // behind the "--"
        const char *value = builtin_is_word(name) ? NULL : args->given[i].value;
        if (builtin_has(name) && !builtin_set(&bot->told, name, value, err))
            return false;
    }
    return true;
}

// What its level takes away, unless more was said.
static void find_rung(struct bot *bot) {
    struct rungs rungs;
    struct err err = {.set = false};
    if (!learned_rungs(bot->game, &rungs, &err))
        fprintf(stderr, "arbiter: the levels are those of any game: %s\n", err.text);
    if (bot->told.general && !folder_of(bot->game))
        rungs_find(&rungs, "");
    if (bot->told.level != LEVEL_RANDOM)
        bot->rung = rungs.rung[bot->told.level - 1];
    if (bot->told.misses)
        bot->rung.misses = (int)bot->told.misses;
}

// Where the judge is. Only stcp has to know.
static bool read_place(struct bot *bot, const struct args *args, bool wanted, struct err *err) {
    static const char *const names[] = {"--host", "--port", "--team", "--wait"};
    int64_t wait;
    for (size_t i = 0; i < sizeof names / sizeof *names && !wanted; i++)
        if (args_value(args, names[i]))
            return err_set(err, "%s is for --protocol %s", names[i], wire_stcp.name);
    if (wanted && !args_value(args, "--team"))
        return err_set(err, "--protocol %s needs --team N, the id that the judge expects",
                       wire_stcp.name);
    if (!args_int(args, (struct number_option){"--port", 8888, 1, 65535}, &bot->port, err) ||
        !args_int(args, (struct number_option){"--team", 0, INT32_MIN, INT32_MAX}, &bot->team,
                  err) ||
        !args_number(args, (struct number_option){"--wait", 10, 0, 86400}, &wait, err))
        return false;
    bot->host = args_value(args, "--host");
    if (!bot->host)
        bot->host = "127.0.0.1";
    bot->wait_us = wait * 1000000;
    return true;
}

static const struct speech *find_speech(const struct game *game, const char *name,
                                        struct err *err) {
    char all[ERR_TEXT_MAX / 4] = "", its[ERR_TEXT_MAX / 4] = "";
    bool known = false;
    for (int i = 0; i < SPEECHES; i++) {
        const struct wire_protocol *protocol = speeches[i].protocol;
        const bool plays = wire_plays(protocol, game), named = strcmp(protocol->name, name) == 0;
        if (named && plays)
            return &speeches[i];
        known |= named;
        err_list(all, sizeof all, protocol->name);
        if (plays)
            err_list(its, sizeof its, protocol->name);
    }
    if (known)
        err_set(err, "%s is not played by %s; accepted: %s", game->name, name, its);
    else
        err_set(err, "there is no protocol '%.40s'; accepted: %s", name, all);
    return NULL;
}

static const struct speech *read_bot(struct bot *bot, const struct args *args, struct err *err) {
    const char *protocol = args_value(args, "--protocol"), *time = args_value(args, "--time"),
               *slow = args_value(args, "--slow");
    int64_t seed;
    bot->game = setup_game(args->word[0], err);
    const struct speech *speech =
        bot->game ? find_speech(bot->game, protocol ? protocol : wire_abp.name, err) : NULL;
    const bool good =
        speech &&
        args_number(args, (struct number_option){"--seed", 1, 0, INT64_MAX}, &seed, err) &&
        read_told(bot, args, err) && read_place(bot, args, speech->protocol == &wire_stcp, err) &&
        (!time || read_seconds(time, "--time", &bot->time_us, err)) &&
        (!slow || read_seconds(slow, "--slow", &bot->slow_us, err));
    bot->seed = good ? (uint64_t)seed : 0;
    if (good)
        find_rung(bot);
    return good ? speech : NULL;
}

// Makes the brain for the standard rules before it is asked, so that the first answer is no later.
static int bot_run(const struct args *args, struct err *err) {
    struct bot bot = {.brain = NULL};
    struct ruleset rules;
    const struct speech *speech = read_bot(&bot, args, err);
    if (!speech)
        return -1;
    if (args_value(args, "--idle"))
        cores_go_idle();
    ruleset_init(&rules, bot.game);
    bot_prepare(&bot, &rules);
    const bool good = speech->speak(&bot, err);
    brain_free(bot.brain);
    return good ? 0 : -1;
}

static const struct option options[] = {
    {"--protocol", "NAME", "abp, the game's own stcp or sixline (abp)"},
    {"--host", "H", "stcp: where the judge is (127.0.0.1)"},
    {"--port", "P", "stcp: and on which port (8888)"},
    {"--team", "N", "stcp: the team id to give"},
    {"--wait", "S", "stcp: seconds to try to reach the judge (10)"},
    {"--level", "L", "how strong it is: 1 to 10, or a name (strong)"},
    {"--time", "S", "seconds for an answer (as the judge says, or the contest)"},
    {"--nodes", "N", "look at no more than so many positions for a move, with each thread"},
    {"--threads", "N",
     "threads to think with (1); two were worth it in long thoughts of reversi alone"},
    {"--misses", "N", "do not see so many percent of the legal moves (as the level says)"},
    {"--general", NULL, "play by the general engine, also where the game has one of its own"},
    {"--untaught", NULL, "play without what was learned of a game that was added"},
    {"--idle", NULL, "run only where nobody else wants the core"},
    {"--slow", "S", "answer no sooner than after so many seconds, for people to follow"},
    {"--seed", "N", "seed of what is drawn at random (1)"},
};

const struct command command_bot = {
    .name = "bot",
    .arguments = "GAME",
    .words_min = 1,
    .words_max = 1,
    .summary = "be a built-in player, for any judge",
    .help =
        "Speaks a protocol of docs/protocol.md until it is told to leave: abp, in any game, and\n"
        "sixline on standard input and output; stcp on a connection to the judge.\n"
        "Levels:\n" LEVEL_LINES
        "Example: arbiter match reversi tcp:1=\"arbiter bot reversi --protocol stcp --team 1\" "
        "random\n",
    COMMAND_OPTIONS(options),
    .lists_protocols = true,
    .run = bot_run,
};
