// SPDX-License-Identifier: MIT
// What happens at a table, as events for its match, and what the match wants, done.
#include "referee/table.h"

#include "base/clock.h"
#include "base/mem.h"
#include "referee/place.h"
#include "referee/starved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_US = 10000 };

struct table {
    struct surroundings around;
    struct timer *timer;
    int64_t deadline_us, half_us; // of the turn: when it is up, and when its half is; 0: no limit
    struct starved starved;       // of the player whose turn it is
    int timed;                    // who that is; 0: nobody
    const struct table_events *events;
    void *owner;
    struct place place[2];
    int black; // the place that plays black
    struct match *match;
    int plies;     // when `moved` was last told
    bool draining; // actions are being done
    bool ended;    // the match has ended, `over` is still to be told
};

static struct place *place_of(struct table *t, int player) {
    return &t->place[player == 1 ? t->black : 1 - t->black];
}

// The turn of a player was on; if it is over, he rests.
static void begin_rest(struct place *p, int64_t cpu_us) {
    if (match_awaits(p->table->match) != p->number)
        p->rest_cpu_us = cpu_us;
}

// A turn begins. In the first one of the game the other begins to rest.
static void begin_turn(struct table *t, struct place *p, int64_t cpu_us) {
    struct place *other = &t->place[p == t->place];
    place_end_rest(p, cpu_us);
    if (other->rest_cpu_us < 0)
        other->rest_cpu_us = place_cpu_us(other);
}

static void do_send(struct table *t, const struct action *a) {
    struct place *p = place_of(t, a->player);
    log_bytes(t->around.log, a->player, p->player->protocol, true, a->bytes, a->length);
    const int64_t cpu = place_cpu_us(p);
    if (match_awaits(t->match) == a->player)
        begin_turn(t, p, cpu);
    int64_t at = clock_now_us();
    if (p->connection)
        at = link_send(p->connection, a->bytes, a->length);
    match_sent(t->match, a->player, at, cpu);
    if (p->player->kind == PLAYER_HUMAN && t->events->ask) {
        char *line = mem_text(a->bytes); // the answer may come before this returns
        line[strcspn(line, "\n")] = '\0';
        t->events->ask(t->owner, (int)(p - t->place), line);
        free(line);
    }
}

// In a turn the timer first wakes at half time, to see from then on whether the player may run.
static void set_deadline(struct table *t, const struct action *a) {
    t->deadline_us = a->at_us;
    if (a->at_us == 0) {
        timer_clear(t->timer);
        return;
    }
    if (a->player != t->timed || a->since_us != t->starved.asked_us) {
        starved_init(&t->starved, a->cpu_us, a->since_us);
        t->half_us = a->since_us + (a->at_us - a->since_us) / 2;
        t->timed = a->player;
    }
    timer_set(t->timer, t->timed && t->starved.begun_us == 0 ? t->half_us : a->at_us);
}

static void do_action(struct table *t, const struct action *a) {
    struct place *p = a->player ? place_of(t, a->player) : NULL;
    switch (a->kind) {
    case ACTION_SEND:
        do_send(t, a);
        break;
    case ACTION_DEADLINE:
        set_deadline(t, a);
        break;
    case ACTION_HOLD:
        if (p->child)
            link_hold(p->child);
        break;
    case ACTION_RELEASE:
        if (p->child)
            link_release(p->child);
        break;
    case ACTION_END:
        t->ended = true;
        break;
    }
}

static void end_game(struct table *t) {
    t->ended = false;
    log_end(t->around.log, t->match);
    const struct fault *f = match_verdict(t->match);
    for (int i = 0; i < 2; i++) {
        struct place *p = &t->place[i];
        place_end_rest(p, place_cpu_us(p));
        place_look(p);
        p->killed = f && f->player == p->number && match_winner(t->match) == 3 - f->player;
        // A team that we did not start may come back; a process of ours is started anew.
        const bool ours = p->player->kind != PLAYER_TEAM || p->player->command;
        if (ours && (p->player->protocol->one_game || p->killed || !p->connection))
            place_close(p);
    }
    timer_clear(t->timer);
    t->events->over(t->owner, t->match);
}

// Does what the match wants, also what it wants because of that.
static void drain(struct table *t) {
    struct action a;
    if (t->draining)
        return;
    t->draining = true;
    while (t->match && match_next(t->match, &a))
        do_action(t, &a);
    for (int i = 0; i < 2; i++)
        if (t->place[i].child)
            link_settle(t->place[i].child);
    t->draining = false;
    const struct match_move *moves;
    const char *text;
    const int plies = t->match ? match_moves(t->match, &moves, &text) : t->plies;
    if (plies != t->plies && t->events->moved)
        t->events->moved(t->owner, t->match);
    t->plies = plies;
    if (t->ended)
        end_game(t);
}

static struct runner runner_of(struct table *t, int player, int64_t cpu_us) {
    const struct place *p = place_of(t, player);
    return (struct runner){.pid = p->child ? link_pid(p->child) : -1, .cpu_us = cpu_us};
}

// What there is to say for a player whose time is up.
static struct lateness lateness_of(struct table *t, int player, int64_t cpu_us, int64_t now_us) {
    struct lateness late = {.woken_late_us = now_us - t->deadline_us};
    const struct runner runner = runner_of(t, player, cpu_us);
    late.starved_us = starved_us(&t->starved, &runner, now_us);
    if (getloadavg(&late.load, 1) != 1)
        late.load = 0;
    return late;
}

// Bytes that are read when the time is up, though the timer has not said so yet: this is the first
// look since, and they may have come before.
static void excuse(struct table *t, int player, int64_t cpu_us, int64_t now_us) {
    if (t->deadline_us == 0 || now_us <= t->deadline_us || match_awaits(t->match) != player)
        return;
    const struct lateness late = lateness_of(t, player, cpu_us, now_us);
    match_excuse(t->match, &late);
}

static void tell_gone(struct place *p, const struct parting *how, bool closed, int64_t now_us) {
    struct table *t = p->table;
    const struct departure d = {.exited = how->exited,
                                .code = how->code,
                                .signal = how->signal,
                                .closed = closed,
                                .final = closed && p->player->kind == PLAYER_CHILD,
                                .over = p->usage.over,
                                .limit = t->around.terms->memory,
                                .peak = p->usage.peak};
    log_note(t->around.log, closed ? "a connection or output was closed" : "a process has ended");
    if (!t->match || match_is_over(t->match))
        return;
    match_gone(t->match, p->number, &d, now_us);
    drain(t);
}

// A boxed player that has lost a helper for its memory has lost, though it may play on.
static void look_at_memory(struct place *p, int64_t now_us) {
    if (!p->player->boxed || !p->child || now_us < p->looked_us + LOOK_US)
        return;
    p->looked_us = now_us;
    place_look(p);
    if (!p->usage.over)
        return;
    p->killed = true;
    tell_gone(p, &(struct parting){.exited = false}, false, now_us);
}

static void heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct place *p = owner;
    struct table *t = p->table;
    log_bytes(t->around.log, p->number, p->player->protocol, false, bytes, length);
    if (!t->match || match_is_over(t->match))
        return;
    const int player = p->number;
    const bool its_turn = match_awaits(t->match) == player;
    const int64_t cpu_us = place_cpu_us(p);
    excuse(t, player, cpu_us, now_us);
    match_bytes(t->match, player, bytes, length, now_us, cpu_us);
    if (its_turn)
        begin_rest(p, cpu_us);
    drain(t);
    look_at_memory(p, now_us);
}

static void sent(void *owner, int64_t now_us) {
    (void)owner;
    (void)now_us;
}

static void noise(void *owner, const char *bytes, size_t length) {
    const struct place *p = owner;
    log_noise(p->around->log, p->number, bytes, length);
}

// A child on pipes is gone: process and connection are one.
static void child_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct place *p = owner;
    place_look(p);
    link_free(p->child, 0);
    p->child = p->connection = NULL;
    tell_gone(p, how, true, now_us);
}

// The process that should make the connection has ended.
static void starter_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct place *p = owner;
    place_look(p);
    place_close_door(p);
    link_free(p->child, 0);
    p->child = NULL;
    tell_gone(p, how, false, now_us);
}

static void connection_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct place *p = owner;
    link_free(p->connection, 0);
    p->connection = NULL;
    tell_gone(p, how, true, now_us);
    if (p->claim)
        claim_vacate(p->claim);
}

static void door_opened(void *owner, int fd) {
    struct place *p = owner;
    place_close_door(p);
    p->door = claim_add_door(p->claim, fd);
}

static const struct link_events child_events = {
    .bytes = heard, .sent = sent, .gone = child_gone, .noise = noise};
static const struct link_events starter_events = {
    .bytes = heard, .sent = sent, .gone = starter_gone, .noise = noise, .door = door_opened};
static const struct link_events connection_events = {
    .bytes = heard, .sent = sent, .gone = connection_gone, .noise = noise};

// A connection from the lobby.
static void joined(void *owner, struct link *link, const char *bytes, size_t length,
                   int64_t now_us) {
    struct place *p = owner;
    struct table *t = p->table;
    p->connection = link;
    link_watch(link, &connection_events, p);
    log_note(t->around.log, "a team has connected");
    if (!t->match || match_is_over(t->match))
        return;
    match_joined(t->match, p->number, now_us);
    drain(t);
    if (length > 0 && p->connection)
        heard(p, bytes, length, now_us);
}

static const struct place_events place_events = {
    .child = &child_events, .starter = &starter_events, .joined = joined};

static void time_passed(void *owner, int64_t now_us) {
    struct table *t = owner;
    if (!t->match || match_is_over(t->match))
        return;
    const int player = match_awaits(t->match);
    struct lateness late = {.woken_late_us = now_us - t->deadline_us};
    const int64_t cpu_us = player ? place_cpu_us(place_of(t, player)) : -1;
    if (player && t->starved.begun_us == 0) {
        const struct runner runner = runner_of(t, player, cpu_us);
        starved_begin(&t->starved, &runner, t->half_us, now_us);
        timer_set(t->timer, t->deadline_us);
        return;
    }
    if (player)
        late = lateness_of(t, player, cpu_us, now_us);
    match_deadline(t->match, &late, now_us, cpu_us);
    if (player)
        begin_rest(place_of(t, player), cpu_us);
    drain(t);
}

struct table *table_new(struct loop *loop, const struct player *first, const struct player *second,
                        const struct terms *terms, struct lobby *lobby, struct log *log,
                        const struct table_events *events, void *owner) {
    struct table *t = mem_new(1, sizeof *t);
    *t = (struct table){.around = {loop, terms, lobby, log}, .events = events, .owner = owner};
    t->timer = timer_new(loop, time_passed, t);
    place_init(&t->place[0], t, &t->around, first);
    place_init(&t->place[1], t, &t->around, second);
    return t;
}

bool table_play(struct table *t, const struct match_config *config, int black, struct err *err) {
    match_free(t->match);
    t->black = black;
    t->plies = 0;
    t->match = match_new(config, &t->place[black].wire, &t->place[1 - black].wire);
    if (!t->match)
        return err_set(err, "the opening '%.100s' is not one of %s",
                       config->opening ? config->opening : "", config->rules.game->name);
    for (int i = 0; i < 2; i++) {
        t->place[i].number = i == black ? 1 : 2;
        place_begin_counting(&t->place[i]);
    }
    log_begin(t->around.log, config,
              (const char *[]){t->place[black].player->text, t->place[1 - black].player->text});
    match_start(t->match, clock_now_us());
    t->draining = true; // whoever joins now is told of it below
    bool good = true;
    for (int i = 0; i < 2 && good; i++)
        good =
            config->absent[t->place[i].number - 1] || place_fill(&t->place[i], &place_events, err);
    for (int i = 0; i < 2 && good; i++)
        if (t->place[i].connection || t->place[i].player->kind == PLAYER_HUMAN)
            match_joined(t->match, t->place[i].number, clock_now_us());
    t->draining = false;
    if (good)
        drain(t);
    return good;
}

void table_type(struct table *t, int seat, const char *line) {
    struct buf bytes = {.data = NULL};
    buf_format(&bytes, "%s\n", line);
    heard(&t->place[seat], bytes.data, bytes.length, clock_now_us());
    buf_done(&bytes);
}

void table_abort(struct table *t, const char *why) {
    if (!t->match || match_is_over(t->match))
        return;
    log_note(t->around.log, why);
    match_abort(t->match, why);
    drain(t);
}

const struct match *table_match(const struct table *t) { return t->match; }

const char *table_name(const struct table *t, int seat) { return t->place[seat].wire.name; }

int64_t table_ponder_us(const struct table *t, int seat) {
    const struct player *player = t->place[seat].player;
    return player->command ? t->place[seat].ponder_us : -1;
}

void table_usage(const struct table *t, int seat, struct usage *usage) {
    place_usage(&t->place[seat], usage);
}

void table_free(struct table *t) {
    if (!t)
        return;
    for (int i = 0; i < 2; i++) {
        place_close(&t->place[i]);
        place_done(&t->place[i]);
    }
    match_free(t->match);
    timer_free(t->timer);
    free(t);
}
