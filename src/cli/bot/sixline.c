// SPDX-License-Identifier: MIT
// docs/protocol.md, B. What the judge asks and cannot be done is answered by a line with ERROR.
// Another judge may block as many cells as it likes, an odd number too: they are put on the board
// one by one, beside the ruleset, whose own blocks are those of our contests.
#include "cli/bot/bot.h"

#include "base/clock.h"
#include "games/connect6.h"
#include "games/text.h"
#include "spec/spec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct six {
    struct bot *bot;
    struct ruleset rules;
    int64_t time_us; // of a turn
    union game_state state;
    int me, stones; // whose turn is ours (0: not known yet), and how many stones are on the board
};

static void complain(const char *why) { printf("ERROR %s\n", why); }

// A new game, after START.
static void clear(struct six *six) {
    char why[WHY_TEXT_MAX];
    ruleset_init(&six->rules, six->bot->game);
    const bool good = six->bot->game->start(&six->state, &six->rules, NULL, why);
    assert(good);
    (void)good;
    six->time_us =
        spec_of(six->bot->game)->time_low_s * INT64_C(1000000); // until the judge says another
    six->me = six->stones = 0;
}

static bool bot_sixline_start(struct six *six, const char *rest) {
    (void)rest;
    clear(six);
    printf("OK\n");
    return true;
}

static bool tell_info(struct six *six, const char *rest) {
    struct buf name = {.data = NULL};
    (void)rest;
    bot_name(six->bot, &name);
    printf("TeamName:%s,Department:arbiter\n", name.data);
    buf_done(&name);
    return true;
}

static bool take_limit(struct six *six, const char *rest) {
    const long seconds = strtol(rest, NULL, 10);
    if (seconds > 0 && seconds <= 86400)
        six->time_us = seconds * 1000000;
    return true;
}

static bool bot_sixline_take_block(struct six *six, const char *rest) {
    int x, y;
    const char *why = text_take_pair(&rest, &x, &y) ? connect6_block(&six->state, &six->rules, x, y)
                                                    : "BLOCK wants a cell, x,y";
    if (why)
        complain(why);
    else
        printf("OK\n");
    return true;
}

// The first request of a game says who we are.
static void be(struct six *six, int player) {
    if (six->me == 0)
        six->me = player;
    bot_prepare(six->bot, &six->rules);
}

// The stones of a turn: two, but for the first of the game and the last cell.
static void play(struct six *six) {
    const bool pair = six->stones % 2 == 1 && six->bot->game->count(&six->state) > 1;
    const int due = pair ? 2 : 1;
    struct buf stones = {.data = NULL};
    six->bot->asked_us = clock_now_us();
    bot_play(six->bot, &six->state, due, six->time_us, " ", &stones);
    six->stones += due;
    if (stones.length)
        printf("%s\n", stones.data);
    else
        complain("the game is over");
    buf_done(&stones);
}

static bool bot_sixline_begin(struct six *six, const char *rest) {
    (void)rest;
    be(six, 1);
    play(six);
    return true;
}

static bool bot_sixline_take_turn(struct six *six, const char *rest) {
    const struct game *game = six->bot->game;
    int x, y;
    char text[32];
    move m;
    be(six, 2);
    for (text_take_blanks(&rest); text_take_pair(&rest, &x, &y); text_take_blanks(&rest)) {
        snprintf(text, sizeof text, "%d,%d", x, y);
        const char *why = game->read_move(&six->state, text, &m);
        if (!why)
            why = game_play(game, &six->state, m);
        if (why) {
            complain(why);
            return true;
        }
        six->stones++;
    }
    if (game->turn(&six->state) == side_other(six->me))
        complain("a stone is missing");
    else
        play(six);
    return true;
}

static bool bot_sixline_leave(struct six *six, const char *rest) {
    (void)six;
    (void)rest;
    return false;
}

static const struct {
    const char *word;
    bool (*obey)(struct six *six, const char *rest); // false: leave
} commands[] = {
    {"START", bot_sixline_start}, {"INFO", tell_info},
    {"LimitTime", take_limit},    {"BLOCK", bot_sixline_take_block},
    {"BEGIN", bot_sixline_begin}, {"TURN", bot_sixline_take_turn},
    {"QUIT", bot_sixline_leave},
};

// Commands are known by their beginning; others are passed over.
static bool obey(struct six *six, const char *line) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const size_t length = strlen(commands[i].word);
        if (strncasecmp(line, commands[i].word, length) == 0)
            return commands[i].obey(six, line + length + strspn(line + length, " \t"));
    }
    return true;
}

bool bot_sixline(struct bot *bot, struct err *err) {
    struct six six = {.bot = bot};
    char *line = NULL;
    size_t room = 0;
    bool more = true;
    (void)err;
    clear(&six);
    while (more && getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        more = obey(&six, line);
        fflush(stdout);
    }
    free(line);
    return true;
}
