// SPDX-License-Identifier: MIT
// All that is drawn at random for a game comes from the seed of the series and its number, also the
// seeds that the players are told. So a game does not depend on those that were played before it by
// the same processes, nor on how many are played at once.
#include "cli/part.h"

#include "base/mem.h"
#include "cli/human.h"
#include "referee/box_files.h"
#include "referee/record.h"
#include "referee/table.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct part_play {
    const struct part *part;
    struct series *series;
    int index; // the game under way
    struct loop *loop;
    struct lobby *lobby;
    struct table *table;
    struct human *human;
    struct match_config config;
    char *opening;
    bool interrupted, stopped;
};

static int unit_size(const struct series *s) { return s->swap ? 2 : 1; }

static int unit_of(const struct part_play *play) { return play->index / unit_size(play->series); }

int part_units(const struct series *s) { return (s->games + unit_size(s) - 1) / unit_size(s); }

int part_first(const struct part *part) {
    const int index = part->first * unit_size(part->series);
    return index < part->series->games ? index : -1;
}

int part_next(const struct part *part, int index) {
    const int size = unit_size(part->series);
    int next = index + 1;
    if (next % size == 0)
        next += (part->step - 1) * size;
    return next < part->series->games ? next : -1;
}

static bool has(const struct series *s, enum player_kind kind) {
    return s->player[0].kind == kind || s->player[1].kind == kind;
}

bool part_has_teams(const struct series *s) { return has(s, PLAYER_TEAM); }

bool part_has_doors(const struct series *s) {
    return players_need_no_port(&s->player[0], &s->player[1], s->limits.box);
}

static bool draw_conditions(struct part_play *play) {
    struct series *s = play->series;
    struct match_config *c = &play->config;
    *c = (struct match_config){
        .rules = s->rules, .penalties = s->penalties, .grace_us = s->grace_us};
    c->number = play->index + 1;
    c->freeze = s->limits.ponder == PONDER_FREEZE;
    free(play->opening);
    play->opening = NULL;
    if (s->opening_count > 0)
        play->opening = mem_text(s->openings[unit_of(play) % s->opening_count]);
    const bool good = conditions_deal(&s->conditions, s->seed, unit_of(play), &c->rules,
                                      &c->time_us, &play->opening, play->part->err);
    c->opening = play->opening;
    return good;
}

static bool begin_game(struct part_play *play) {
    struct series *s = play->series;
    if (!draw_conditions(play))
        return false;
    const int black = s->swap ? play->index % 2 : 0;
    for (int i = 0; i < 2; i++) {
        const int player = i == 0 ? black : 1 - black;
        const struct player *p = &s->player[player];
        const bool awaited = p->kind == PLAYER_TEAM && !p->command;
        play->config.start_us[i] = awaited ? s->wait_us : s->limits.start_s * INT64_C(1000000);
        play->config.untimed[i] = p->kind == PLAYER_HUMAN;
        play->config.seed[i] = conditions_player_seed(s->seed, play->index, player);
    }
    const bool again = play->index != part_first(play->part);
    if (!table_play(play->table, &play->config, black, play->part->err))
        return false;
    if (play->lobby && again && !play->stopped)
        lobby_announce(play->lobby);
    return true;
}

// What the players did in each other's turns.
static void tell_ponder(const struct part_play *play, const struct record_info *info) {
    struct buf words = {.data = NULL};
    buf_format(&words, "game %d: CPU time in the other's turns:", info->number);
    for (int i = 0; i < 2; i++) {
        buf_format(&words, "%s %.60s ", i ? "," : "", info->players[i]);
        buf_format(&words, info->ponder_us[i] < 0 ? "not known" : "%.3f s",
                   (double)info->ponder_us[i] / 1e6);
    }
    play->series->note(play->series->owner, words.data);
    buf_done(&words);
}

static void tell_frozen(const struct part_play *play, const struct record_info *info) {
    for (int i = 0; i < 2; i++) {
        struct buf words = {.data = NULL};
        if (record_frozen_words(info, i, &words))
            play->series->note(play->series->owner, words.data);
        buf_done(&words);
    }
}

static void over(void *owner, const struct match *match) {
    struct part_play *play = owner;
    struct series *s = play->series;
    const int black = s->swap ? play->index % 2 : 0;
    struct record_info info = {
        .players = {s->player[black].text, s->player[1 - black].text},
        .names = {table_name(play->table, black), table_name(play->table, 1 - black)},
        .departments = {table_department(play->table, black),
                        table_department(play->table, 1 - black)},
        .seed = s->seed,
        .number = play->index + 1,
        .swap = s->swap,
        .conditions = &s->conditions,
        .limits = &s->limits,
        .ponder_us = {table_ponder_us(play->table, black), table_ponder_us(play->table, 1 - black)},
    };
    const struct part *part = play->part;
    table_usage(play->table, black, &info.usage[0]);
    table_usage(play->table, 1 - black, &info.usage[1]);
    if (s->limits.ponder == PONDER_FREEZE && s->limits.box)
        tell_frozen(play, &info);
    if (s->limits.ponder == PONDER_REPORT)
        tell_ponder(play, &info);
    const bool more =
        part->ended(part->owner, play->index, record_make(match, &play->config, &info));
    play->index = part_next(part, play->index);
    play->stopped |= !more || play->interrupted || play->index < 0 || !begin_game(play);
    if (play->stopped)
        loop_stop(play->loop);
}

static void moved(void *owner, const struct match *match) {
    struct part_play *play = owner;
    if (play->series->moved)
        play->series->moved(play->series->owner, match);
}

static void asked(void *owner, int seat, const char *request) {
    struct part_play *play = owner;
    human_ask(play->human, &play->config.rules, seat, request);
}

static void said(void *owner, int seat, const char *line) {
    struct part_play *play = owner;
    table_type(play->table, seat, line);
}

static void left(void *owner) {
    struct part_play *play = owner;
    play->interrupted = true;
    table_abort(play->table, "the person has left");
}

static void lobby_note(void *owner, const char *words) {
    struct part_play *play = owner;
    play->series->note(play->series->owner, words);
    log_note(play->series->log, words);
}

void part_hold_signals(bool hold) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static void interrupted(void *owner) {
    struct part_play *play = owner;
    part_hold_signals(true); // a second one must not end us before the record is written and said
    play->interrupted = true;
    table_abort(play->table, "interrupted");
    loop_stop(play->loop);
}

// Makes what the games need.
static bool set_up(struct part_play *play) {
    static const struct table_events events = {.moved = moved, .over = over, .ask = asked};
    static const struct human_events person = {.said = said, .left = left};
    struct series *s = play->series;
    struct err *err = play->part->err;
    const bool doors = part_has_doors(s);
    play->loop = loop_new(err);
    if (play->loop && part_has_teams(s))
        play->lobby = lobby_new(play->loop, s->address, doors ? 0 : s->port, lobby_note, play, err);
    if (!play->loop || (part_has_teams(s) && !play->lobby))
        return false;
    if (play->lobby && doors)
        lobby_set_port_inside(play->lobby, s->port);
    if (has(s, PLAYER_HUMAN))
        play->human = human_new(play->loop, &person, play);
    play->table = table_new(play->loop, &s->player[0], &s->player[1], &s->limits, play->lobby,
                            s->log, &events, play);
    return true;
}

static void clean_up(struct part_play *play) {
    table_free(play->table);
    human_free(play->human);
    lobby_free(play->lobby);
    loop_free(play->loop);
    free(play->opening);
}

bool part_play(const struct part *part, bool *was_interrupted) {
    struct series *s = part->series;
    struct part_play play = {.part = part, .series = s, .index = part_first(part)};
    bool good = play.index < 0 || set_up(&play);
    if (good && play.index >= 0) {
        loop_on_interrupt(play.loop, interrupted, &play);
        part_hold_signals(false); // in a worker they have been held since before it was forked
        good = begin_game(&play);
        if (good && !play.stopped)
            loop_run(play.loop);
        part_hold_signals(true); // nobody hears them any more, and what follows is short
    }
    clean_up(&play);
    *was_interrupted = play.interrupted;
    return good && !part->err->set;
}
