// SPDX-License-Identifier: MIT
// A place at the table is a player with what reaches him: a child on pipes, or a connection from
// the lobby (and perhaps the child that makes it), or a person in this process. Places stay from
// game to game; the match sees them as black and white.
#include "referee/table.h"

#include "base/clock.h"
#include "base/mem.h"
#include "referee/starved.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_US = 500000 };

struct place {
    struct table *table;
    const struct player *player;
    struct wire wire;
    struct link *child; // its process; NULL: none, or ended
    struct link
        *connection; // what carries bytes: the child on pipes, or from the lobby; NULL: none
    struct claim *claim;
    char *folder; // of its own; NULL: none
    bool killed;  // its time is up: no patience with it
    // CPU time: when its last turn was over (-1: not yet, or it is its turn), and used since then,
    // in all such times.
    int64_t rest_cpu_us, ponder_us;
};

struct table {
    struct loop *loop;
    const struct terms *terms;
    struct lobby *lobby;
    struct log *log;
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

static int number_of(const struct place *p) {
    return p - p->table->place == p->table->black ? 1 : 2;
}

static struct place *place_of(struct table *t, int player) {
    return &t->place[player == 1 ? t->black : 1 - t->black];
}

static int64_t cpu_of(const struct place *p) { return p->child ? link_cpu_us(p->child) : -1; }

// The turn of a player was on; if it is over, he rests.
static void begin_rest(struct place *p, int64_t cpu_us) {
    if (match_awaits(p->table->match) != number_of(p))
        p->rest_cpu_us = cpu_us;
}

static void end_rest(struct place *p, int64_t cpu_us) {
    if (p->rest_cpu_us >= 0 && cpu_us >= 0)
        p->ponder_us += cpu_us - p->rest_cpu_us;
    p->rest_cpu_us = -1;
}

// A turn begins. In the first one of the game the other begins to rest.
static void begin_turn(struct table *t, struct place *p, int64_t cpu_us) {
    struct place *other = &t->place[p == t->place];
    end_rest(p, cpu_us);
    if (other->rest_cpu_us < 0)
        other->rest_cpu_us = cpu_of(other);
}

static void do_send(struct table *t, const struct action *a) {
    struct place *p = place_of(t, a->player);
    log_bytes(t->log, a->player, p->player->protocol, true, a->bytes, a->length);
    const int64_t cpu = cpu_of(p);
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

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

// Removes the player's own folder, unless a log is written: then what he left there is worth
// seeing.
static void leave_folder(struct place *p) {
    if (!p->folder)
        return;
    if (p->table->log && rmdir(p->folder) != 0) {
        struct buf words = {.data = NULL};
        buf_format(&words, "%.60s has left files in %s", p->player->text, p->folder);
        log_note(p->table->log, words.data);
        buf_done(&words);
    } else {
        nftw(p->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    }
    free(p->folder);
    p->folder = NULL;
}

// A team that stays from table to table may still answer what it was asked at the last one: ids go
// on from there, by the clock.
static void init_wire(struct place *p) {
    wire_init(&p->wire, p->player->protocol);
    p->wire.trail = p->table->terms->trail;
    if (lobby_keeps(p->table->lobby))
        p->wire.id = (int32_t)(clock_now_us() / 1000 % (1 << 30));
}

// A team that came by itself goes back to where it came from, if it may stay there.
static void give_back(struct place *p) {
    const struct player *player = p->player;
    if (!p->connection || player->kind != PLAYER_TEAM || player->command ||
        !lobby_keeps(p->table->lobby))
        return;
    claim_free(p->claim);
    p->claim = NULL;
    lobby_return(p->table->lobby, p->connection, player->team);
    p->connection = NULL;
}

// Closes what reaches a place. Those who still listen are told to leave first.
static void close_place(struct place *p) {
    struct buf bye = {.data = NULL};
    give_back(p);
    if (p->connection) {
        wire_quit(&p->wire, &bye);
        log_bytes(p->table->log, number_of(p), p->player->protocol, true, bye.data, bye.length);
        link_send(p->connection, bye.data, bye.length);
        buf_done(&bye);
    }
    const int64_t patience = p->killed ? 0 : PATIENCE_US;
    if (p->connection && p->connection != p->child)
        link_free(p->connection, patience);
    if (p->child)
        link_free(p->child, patience);
    p->connection = p->child = NULL;
    if (p->claim)
        claim_free(p->claim);
    p->claim = NULL;
    wire_done(&p->wire);
    init_wire(p);
    leave_folder(p);
    p->killed = false;
}

static void end_game(struct table *t) {
    t->ended = false;
    log_end(t->log, t->match);
    const struct fault *f = match_verdict(t->match);
    for (int i = 0; i < 2; i++) {
        struct place *p = &t->place[i];
        end_rest(p, cpu_of(p));
        p->killed = f && f->player == number_of(p) && match_winner(t->match) == 3 - f->player;
        // A team that we did not start may come back; a process of ours is started anew.
        const bool ours = p->player->kind != PLAYER_TEAM || p->player->command;
        if (ours && (p->player->protocol->one_game || p->killed || !p->connection))
            close_place(p);
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

static void heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct place *p = owner;
    struct table *t = p->table;
    log_bytes(t->log, number_of(p), p->player->protocol, false, bytes, length);
    if (!t->match || match_is_over(t->match))
        return;
    const int player = number_of(p);
    const bool its_turn = match_awaits(t->match) == player;
    const int64_t cpu_us = cpu_of(p);
    excuse(t, player, cpu_us, now_us);
    match_bytes(t->match, player, bytes, length, now_us, cpu_us);
    if (its_turn)
        begin_rest(p, cpu_us);
    drain(t);
}

static void sent(void *owner, int64_t now_us) {
    (void)owner;
    (void)now_us;
}

static void noise(void *owner, const char *bytes, size_t length) {
    const struct place *p = owner;
    log_noise(p->table->log, number_of(p), bytes, length);
}

static void tell_gone(struct place *p, const struct parting *how, bool closed, int64_t now_us) {
    struct table *t = p->table;
    const struct departure d = {.exited = how->exited,
                                .code = how->code,
                                .signal = how->signal,
                                .closed = closed,
                                .final = closed && p->player->kind == PLAYER_CHILD};
    log_note(t->log, closed ? "a connection or output was closed" : "a process has ended");
    if (!t->match || match_is_over(t->match))
        return;
    match_gone(t->match, number_of(p), &d, now_us);
    drain(t);
}

// A child on pipes is gone: process and connection are one.
static void child_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct place *p = owner;
    link_free(p->child, 0);
    p->child = p->connection = NULL;
    tell_gone(p, how, true, now_us);
}

// The process that should make the connection has ended.
static void starter_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct place *p = owner;
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

static const struct link_events child_events = {
    .bytes = heard, .sent = sent, .gone = child_gone, .noise = noise};
static const struct link_events starter_events = {
    .bytes = heard, .sent = sent, .gone = starter_gone, .noise = noise};
static const struct link_events connection_events = {
    .bytes = heard, .sent = sent, .gone = connection_gone, .noise = noise};

// A connection from the lobby.
static void joined(void *owner, struct link *link, const char *bytes, size_t length,
                   int64_t now_us) {
    struct place *p = owner;
    struct table *t = p->table;
    p->connection = link;
    link_watch(link, &connection_events, p);
    log_note(t->log, "a team has connected");
    if (!t->match || match_is_over(t->match))
        return;
    match_joined(t->match, number_of(p), now_us);
    drain(t);
    if (length > 0 && p->connection)
        heard(p, bytes, length, now_us);
}

static bool make_folder(struct place *p, struct err *err) {
    const char *temporary = getenv("TMPDIR");
    struct buf path = {.data = NULL};
    if (!temporary || !*temporary)
        temporary = "/tmp";
    buf_format(&path, "%s/arbiter-XXXXXX", temporary);
    p->folder = mkdtemp(path.data);
    if (p->folder)
        return true;
    err_set(err, "cannot make a folder for %.100s in %.200s: %s", p->player->text, temporary,
            strerror(errno));
    buf_done(&path);
    return false;
}

// Makes sure that the player of a place is there, or is on the way.
static bool fill_place(struct place *p, struct err *err) {
    struct table *t = p->table;
    const struct player *player = p->player;
    if (player->own_folder && !p->folder && !make_folder(p, err))
        return false;
    const struct program program = {
        .command = player->command, .folder = p->folder, .memory = t->terms->memory};
    if (player->kind == PLAYER_CHILD && !p->child) {
        p->child = p->connection = link_new_pipe(t->loop, &program, &child_events, p, err);
        return p->child != NULL;
    }
    if (player->kind != PLAYER_TEAM)
        return true;
    if (!p->claim)
        p->claim = claim_new(t->lobby, player->team, !player->command, joined, p);
    if (player->command && !p->child && !p->connection) {
        p->child = link_new_child(t->loop, &program, &starter_events, p, err);
        return p->child != NULL;
    }
    return true;
}

static void time_passed(void *owner, int64_t now_us) {
    struct table *t = owner;
    if (!t->match || match_is_over(t->match))
        return;
    const int player = match_awaits(t->match);
    struct lateness late = {.woken_late_us = now_us - t->deadline_us};
    const int64_t cpu_us = player ? cpu_of(place_of(t, player)) : -1;
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
    *t = (struct table){
        .loop = loop, .terms = terms, .lobby = lobby, .log = log, .events = events, .owner = owner};
    t->timer = timer_new(loop, time_passed, t);
    t->place[0] = (struct place){.table = t, .player = first};
    t->place[1] = (struct place){.table = t, .player = second};
    for (int i = 0; i < 2; i++)
        init_wire(&t->place[i]);
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
        t->place[i].rest_cpu_us = -1;
        t->place[i].ponder_us = 0;
    }
    log_begin(t->log, config,
              (const char *[]){t->place[black].player->text, t->place[1 - black].player->text});
    match_start(t->match, clock_now_us());
    t->draining = true; // whoever joins now is told of it below
    bool good = true;
    for (int i = 0; i < 2 && good; i++)
        good = config->absent[number_of(&t->place[i]) - 1] || fill_place(&t->place[i], err);
    for (int i = 0; i < 2 && good; i++)
        if (t->place[i].connection || t->place[i].player->kind == PLAYER_HUMAN)
            match_joined(t->match, number_of(&t->place[i]), clock_now_us());
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
    log_note(t->log, why);
    match_abort(t->match, why);
    drain(t);
}

const struct match *table_match(const struct table *t) { return t->match; }

const char *table_name(const struct table *t, int seat) { return t->place[seat].wire.name; }

int64_t table_ponder_us(const struct table *t, int seat) {
    const struct player *player = t->place[seat].player;
    return player->command ? t->place[seat].ponder_us : -1;
}

void table_free(struct table *t) {
    if (!t)
        return;
    for (int i = 0; i < 2; i++) {
        close_place(&t->place[i]);
        wire_done(&t->place[i].wire);
    }
    match_free(t->match);
    timer_free(t->timer);
    free(t);
}
