// SPDX-License-Identifier: MIT
// All that is drawn at random for a game comes from the seed of the sitting and the game's index,
// also the seeds that the players are told. So a game does not depend on those that were played
// before it by the same processes, nor on how many are played at once.
#include "referee/sitting.h"

#include "base/mem.h"
#include "referee/record.h"

#include <assert.h>
#include <stdlib.h>

struct sitting {
    struct sitting_config config;
    const struct sitting_events *events;
    void *owner;
    struct table *table;
    int black;
    struct match_config drawn; // for the last game
    struct deal deal;          // of which these are drawn
};

static void table_asked(void *owner, const struct match *match, int seat) {
    const struct sitting *s = owner;
    if (s->events->asked)
        s->events->asked(s->owner, match, seat);
}

static void table_moved(void *owner, const struct match *match) {
    const struct sitting *s = owner;
    if (s->events->moved)
        s->events->moved(s->owner, match);
}

static json_t *make_record(const struct sitting *s, const struct match *match) {
    struct record_info info = {.seed = s->config.seed,
                               .number = s->drawn.number,
                               .swap = s->config.in_pairs,
                               .conditions = &s->config.conditions,
                               .limits = &s->config.limits};
    for (int i = 0; i < 2; i++) {
        const int player = i == 0 ? s->black : 1 - s->black;
        info.players[i] = s->config.player[player]->text;
        info.names[i] = table_name(s->table, player);
        info.departments[i] = table_department(s->table, player);
        info.ponder_us[i] = table_ponder_us(s->table, player);
        table_usage(s->table, player, &info.usage[i]);
    }
    for (int i = 0; i < 2 && s->events->note; i++) {
        struct buf words = {.data = NULL};
        if (record_frozen_words(&info, i, &words))
            s->events->note(s->owner, words.data);
        buf_done(&words);
    }
    return record_make(match, &s->drawn, &info);
}

static void table_over(void *owner, const struct match *match) {
    const struct sitting *s = owner;
    s->events->over(s->owner, match, make_record(s, match));
}

struct sitting *sitting_new(const struct sitting_config *config,
                            const struct sitting_events *events, void *owner) {
    assert(events->over);
    struct sitting *s = mem_new(1, sizeof *s);
    *s = (struct sitting){.config = *config, .events = events, .owner = owner};
    return s;
}

static void give_opening(struct sitting *s, const char *moves) {
    free(s->deal.opening);
    s->deal.opening = moves && *moves ? mem_text(moves) : NULL;
}

static bool draw(struct sitting *s, const struct sitting_game *game, struct err *err) {
    const struct sitting_config *c = &s->config;
    struct match_config *d = &s->drawn;
    *d = (struct match_config){.penalties = c->penalties,
                               .grace_us = c->grace_us,
                               .freeze = c->limits.ponder == PONDER_FREEZE,
                               .number = game->index + 1};
    for (int i = 0; i < 2; i++) {
        const int player = i == 0 ? game->black : 1 - game->black;
        const struct player *p = c->player[player];
        d->start_us[i] = player_is_awaited(p) ? c->wait_us : c->limits.start_s * INT64_C(1000000);
        d->untimed[i] = p->kind == PLAYER_HUMAN && !c->people_timed;
        d->ours[i] = p->ours;
        d->seed[i] = conditions_player_seed(c->seed, game->index, player);
        d->absent[i] = game->absent[i];
    }
    give_opening(s, game->opening);
    s->deal.rules = c->rules;
    const bool good = conditions_deal(&c->conditions, c->seed, game->index / (c->in_pairs ? 2 : 1),
                                      &s->deal, err);
    d->rules = s->deal.rules;
    d->time_us = s->deal.time_us;
    return good;
}

static bool play(struct sitting *s, struct err *err) {
    static const struct table_events events = {
        .asked = table_asked, .moved = table_moved, .over = table_over};
    const struct sitting_config *c = &s->config;
    const struct table_config table = {.loop = c->loop,
                                       .limits = &s->config.limits,
                                       .lobby = c->lobby,
                                       .log = c->log,
                                       .player = {c->player[0], c->player[1]}};
    if (!s->table)
        s->table = table_new(&table, &events, s);
    s->drawn.opening = s->deal.opening;
    return table_play(s->table, &s->drawn, s->black, err);
}

bool sitting_play(struct sitting *s, const struct sitting_game *game, struct err *err) {
    assert(game->index >= 0 && (game->black == 0 || game->black == 1));
    s->black = game->black;
    return draw(s, game, err) && play(s, err);
}

bool sitting_play_on(struct sitting *s, const char *moves, struct err *err) {
    assert(s->drawn.rules.game);
    sitting_leave(s);
    give_opening(s, moves);
    return play(s, err);
}

void sitting_move(struct sitting *s, int player, const char *moves) {
    assert(s->table);
    table_move(s->table, player, moves);
}

void sitting_resign(struct sitting *s, int player) {
    assert(s->table);
    table_resign(s->table, player);
}

void sitting_agree(struct sitting *s) {
    assert(s->table);
    table_agree(s->table);
}

void sitting_abort(struct sitting *s, const char *why) {
    if (s->table)
        table_abort(s->table, why);
}

const struct match *sitting_match(const struct sitting *s) {
    return s->table ? table_match(s->table) : NULL;
}

const struct match_config *sitting_drawn(const struct sitting *s) { return &s->drawn; }

const char *sitting_name(const struct sitting *s, int player) {
    return s->table ? table_name(s->table, player) : "";
}

const char *sitting_department(const struct sitting *s, int player) {
    return s->table ? table_department(s->table, player) : "";
}

int64_t sitting_ponder_us(const struct sitting *s, int player) {
    return table_ponder_us(s->table, player);
}

void sitting_leave(struct sitting *s) {
    table_free(s->table);
    s->table = NULL;
}

void sitting_free(struct sitting *s) {
    if (!s)
        return;
    table_free(s->table);
    free(s->deal.opening);
    free(s);
}
