// SPDX-License-Identifier: MIT
// docs/protocol.md, D.
#include "cli/bot/bot.h"

#include "base/clock.h"
#include "base/whole.h"
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct abp_request {
    int64_t id, time_ms, due, seed; // of the head; 0 where it does not say
    int plies;
    struct ruleset rules;
    union game_state state;
};

// The words "key=value" of the head; those that are not known are skipped.
static bool read_head(char *head, struct abp_request *r) {
    const struct {
        const char *key;
        int64_t *value;
    } keys[] = {{"id", &r->id}, {"time", &r->time_ms}, {"due", &r->due}, {"seed", &r->seed}};
    for (char *word; (word = strsep(&head, " "));) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = '\0';
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (strcmp(keys[i].key, word) == 0 &&
                !text_whole(value, INT64_MIN, INT64_MAX, keys[i].value))
                return false;
    }
    enum { DUE_MOST = 1000, MS_MOST = 1000000000 };
    return r->id > 0 && r->due > 0 && r->due <= DUE_MOST && r->time_ms >= 0 &&
           r->time_ms <= MS_MOST;
}

static bool read_settings(char *settings, struct abp_request *r) {
    struct err err = {.set = false};
    for (char *part; (part = strsep(&settings, ";"));) {
        part += strspn(part, " ");
        for (size_t n = strlen(part); n > 0 && part[n - 1] == ' '; n--)
            part[n - 1] = '\0';
        if (*part && !setup_rule(&r->rules, part, &err))
            return false;
    }
    return true;
}

// Reads "go id=N time=N due=N | settings | moves"; cuts the line to pieces.
static bool read_request(const struct bot *bot, char *line, struct abp_request *r) {
    char why[WHY_TEXT_MAX], *bad, *settings = strchr(line, '|');
    char *moves = settings ? strchr(settings + 1, '|') : NULL;
    if (!moves)
        return false;
    *settings++ = *moves++ = '\0';
    moves[strcspn(moves, "|")] = '\0'; // what follows is for those who have no rules
    *r = (struct abp_request){.due = 1};
    ruleset_init(&r->rules, bot->game);
    return read_head(line, r) && read_settings(settings, r) &&
           bot->game->start(&r->state, &r->rules, NULL, why) &&
           !game_play_line(bot->game, &r->state, moves, &r->plies, &bad);
}

static void answer(struct bot *bot, char *line) {
    struct abp_request r;
    struct buf moves = {.data = NULL};
    bot->asked_us = clock_now_us();
    if (!read_request(bot, line, &r)) {
        printf("# the request was not understood\n");
        return;
    }
    bot_prepare(bot, &r.rules);
    if (r.seed) // so that the answer does not depend on what was asked before
        brain_seed(bot->brain, (uint64_t)r.seed << 32 | (uint32_t)r.plies);
    bot_play(bot, &r.state, (int)r.due, r.time_ms * 1000, "; ", &moves);
    printf("move id=%lld %s\n", (long long)r.id, moves.data ? moves.data : "");
    buf_done(&moves);
}

static bool greet(const struct bot *bot, const char *line) {
    const bool right = strncmp(line, "abp 1 ", 6) == 0 && strcmp(line + 6, bot->game->name) == 0;
    struct buf name = {.data = NULL};
    bot_name(bot, &name);
    if (right)
        printf("ready %s\n", name.data);
    else
        printf("refuse this player plays %s by abp 1\n", bot->game->name);
    buf_done(&name);
    return right;
}

bool bot_abp(struct bot *bot, struct err *err) {
    char *line = NULL;
    size_t room = 0;
    bool more = true;
    (void)err;
    while (more && getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "abp ", 4) == 0)
            more = greet(bot, line);
        else if (strncmp(line, "go ", 3) == 0)
            answer(bot, line);
        else
            more = strcmp(line, "quit") != 0;
        fflush(stdout);
    }
    free(line);
    return true;
}
