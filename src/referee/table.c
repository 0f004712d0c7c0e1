// SPDX-License-Identifier: MIT
// What happens at a table, as events for its match, and what the match wants, done.
//
// The timer wakes for the deadline of the match, and before that for looks at those whose time
// runs: both while they get ready, then who is to move. A turn that is answered at once has none.
#include "referee/table.h"

#include "base/clock.h"
#include "base/mem.h"
#include "folder/proxy.h"
#include "referee/place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_US = 10000, READ_FIRST_US = 500, READ_FIRST_MAX = 20 };

struct table {
    struct table_config around;
    struct timer *timer;
    int64_t deadline_us; // which the match has set; 0: none
    int timed;           // whose turn it is for; 0: nobody's, the players get ready
    int read_first;      // how often it was put off for what had just come
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

// The turn of a player was on; if it is over, it rests.
static void begin_rest(struct place *p, int64_t cpu_us) {
    if (match_awaits(p->table->match) != p->number)
        p->rest_cpu_us = cpu_us;
}

// A turn begins. In the first one of the game the other begins to rest.
static void begin_turn(struct table *t, struct place *p, int64_t cpu_us) {
    struct place *other = &t->place[p == t->place];
    place_favour(other, false);
    place_favour(p, true);
    place_end_rest(p, cpu_us);
    if (other->rest_cpu_us < 0)
        other->rest_cpu_us = place_cpu_us(other);
}

static void do_send(struct table *t, const struct action *a) {
    struct place *p = place_of(t, a->player);
    const bool begins = match_awaits(t->match) == a->player;
    if (begins)
        log_turn(t->around.log, t->match);
    log_bytes(t->around.log, a->player, p->player->protocol, true, a->bytes, a->length);
    const int64_t cpu = place_cpu_us(p);
    if (begins)
        begin_turn(t, p, cpu);
    int64_t at = clock_now_us();
    if (p->connection)
        at = link_send(p->connection, a->bytes, a->length);
    match_sent(t->match, a->player, at, cpu);
    if (begins && t->events->asked)
        t->events->asked(t->owner, t->match, (int)(p - t->place));
}

// A person may answer before this returns.
static void do_ask(struct table *t, struct place *p) {
    begin_turn(t, p, -1);
    t->events->asked(t->owner, t->match, (int)(p - t->place));
}

// Whether the time of a player runs, so that it matters if it may run.
static bool is_watched(const struct table *t, const struct place *p) {
    return p->child && (t->timed == 0 || t->timed == p->number);
}

static int64_t next_look_us(const struct table *t, const struct place *p) {
    return cpu_wait_next_us(&p->cpu_wait, t->deadline_us - p->cpu_wait.asked_us);
}

static void set_timer(struct table *t) {
    int64_t at_us = t->deadline_us;
    for (int i = 0; i < 2; i++) {
        const struct place *p = &t->place[i];
        const int64_t look_us = next_look_us(t, p);
        if (is_watched(t, p) && look_us < at_us)
            at_us = look_us;
    }
    timer_set(t->timer, at_us);
}

static void set_deadline(struct table *t, const struct action *a) {
    struct place *p = a->player ? place_of(t, a->player) : NULL;
    t->deadline_us = a->at_us;
    t->read_first = 0;
    if (a->at_us == 0) {
        timer_clear(t->timer);
        return;
    }
    if (p && (a->player != t->timed || a->since_us != p->cpu_wait.asked_us))
        cpu_wait_init(&p->cpu_wait, a->cpu_us, t->place[p == t->place].rest_cpu_us, a->since_us);
    t->timed = a->player;
    set_timer(t);
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
    case ACTION_ASK:
        do_ask(t, p);
        break;
    case ACTION_END:
        t->ended = true;
        break;
    }
}

static void end_game(struct table *t) {
    t->ended = false;
    for (int i = 0; i < 2; i++)
        place_end_noise(&t->place[i]);
    log_end(t->around.log, t->match);
    const struct fault *f = match_verdict(t->match);
    for (int i = 0; i < 2; i++) {
        struct place *p = &t->place[i];
        place_end_rest(p, place_cpu_us(p));
        place_look(p);
        place_favour(p, true);
        p->killed = f && f->player == p->number && match_winner(t->match) == side_other(f->player);
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

// What there is to say for a player whose time is up.
static struct lateness lateness_of(struct table *t, struct place *p, bool answered,
                                   int64_t now_us) {
    struct lateness late = {.woken_late_us = now_us > t->deadline_us ? now_us - t->deadline_us : 0};
    place_look_cpu_wait(p, &t->place[p == t->place], answered);
    late.cpu_wait_us = p->cpu_wait.total_us;
    late.sure_us = p->cpu_wait.sure_us;
    late.rival_us = p->cpu_wait.rival_us;
    late.maybe_us = p->cpu_wait.maybe_us;
    if (getloadavg(&late.load, 1) != 1)
        late.load = 0;
    return late;
}

// Bytes that are read when the time is up. If the timer has not said so yet this is the first look
// since, and they may have come before. If it waits for what there is to say for the player, that
// is known now that it has run.
static void excuse(struct table *t, struct place *p, int64_t now_us) {
    if (match_awaits(t->match) != p->number || !match_is_overdue(t->match, now_us))
        return;
    const struct lateness late = lateness_of(t, p, true, now_us);
    match_excuse(t->match, &late);
}

static void tell_remark(struct place *p) {
    char words[EVIDENCE_MAX];
    place_remark(p, words);
    match_remark(p->table->match, p->number, words);
}

static void tell_gone(struct place *p, const struct parting *how, bool closed, int64_t now_us) {
    struct table *t = p->table;
    place_end_noise(p);
    const struct departure d = {.exited = how->exited,
                                .code = how->code,
                                .signal = how->signal,
                                .closed = closed,
                                .final = closed && p->player->kind == PLAYER_CHILD,
                                .over = p->usage.over,
                                .limit = t->around.limits->memory,
                                .peak = p->usage.peak};
    log_note(t->around.log,
             closed ? "a connection, input or output was closed" : "a process has ended");
    if (!t->match || match_is_over(t->match))
        return;
    tell_remark(p);
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

static void table_heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct place *p = owner;
    struct table *t = p->table;
    log_bytes(t->around.log, p->number, p->player->protocol, false, bytes, length);
    if (!t->match || match_is_over(t->match))
        return;
    const int player = p->number;
    const bool its_turn = match_awaits(t->match) == player;
    const int64_t cpu_us = place_cpu_us(p);
    excuse(t, p, now_us);
    match_bytes(t->match, player, bytes, length, now_us, cpu_us);
    if (its_turn)
        begin_rest(p, cpu_us);
    drain(t);
    look_at_memory(p, now_us);
}

static void table_noise(void *owner, const char *bytes, size_t length) {
    place_hear_noise(owner, bytes, length);
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
    .bytes = table_heard, .gone = child_gone, .noise = table_noise};
static const struct link_events starter_events = {.bytes = table_heard,

                                                  .gone = starter_gone,
                                                  .noise = table_noise,
                                                  .door = door_opened};
static const struct link_events connection_events = {
    .bytes = table_heard, .gone = connection_gone, .noise = table_noise};

// A connection from the lobby.
static void table_joined(void *owner, struct link *link, const char *bytes, size_t length,
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
        table_heard(p, bytes, length, now_us);
}

static const struct place_events place_events = {
    .child = &child_events, .starter = &starter_events, .joined = table_joined};

// What there is to say for a player when its time is up. False: while we looked whether it may run
// it has, and what it sent is read first; the look is then the one that is made there. Not for
// ever: somebody may send byte after byte.
static bool weigh(struct table *t, struct place *p, int64_t now_us, struct lateness *late) {
    const struct cpu_wait before = p->cpu_wait;
    *late = lateness_of(t, p, false, now_us);
    if (!p->connection || t->read_first >= READ_FIRST_MAX || !link_has_input(p->connection))
        return true;
    t->read_first++;
    p->cpu_wait = before;
    timer_set(t->timer, clock_now_us() + READ_FIRST_US);
    return false;
}

// Those who get ready: what there is to say for each.
static bool weigh_starts(struct table *t, int64_t now_us) {
    for (int i = 0; i < 2; i++) {
        struct place *p = &t->place[i];
        struct lateness late;
        if (!p->child)
            continue;
        if (!weigh(t, p, now_us, &late))
            return false;
        match_excuse_start(t->match, p->number, &late, place_cpu_us(p) - p->start_cpu_us);
    }
    return true;
}

static void look_at_waits(struct table *t, int64_t now_us) {
    for (int i = 0; i < 2; i++)
        if (is_watched(t, &t->place[i]) && now_us >= next_look_us(t, &t->place[i]))
            place_look_cpu_wait(&t->place[i], &t->place[1 - i], false);
    set_timer(t);
}

static void table_time_passed(void *owner, int64_t now_us) {
    struct table *t = owner;
    if (!t->match || match_is_over(t->match))
        return;
    if (now_us < t->deadline_us) {
        look_at_waits(t, now_us);
        return;
    }
    struct place *p = match_awaits(t->match) ? place_of(t, match_awaits(t->match)) : NULL;
    const int64_t cpu_us = p ? place_cpu_us(p) : -1;
    struct lateness late = {.woken_late_us = 0};
    if (!(p ? weigh(t, p, now_us, &late) : weigh_starts(t, now_us)))
        return;
    for (int i = 0; i < 2 && !p; i++) // who is not ready in time
        tell_remark(&t->place[i]);
    match_deadline(t->match, &late, now_us, cpu_us);
    if (p)
        begin_rest(p, cpu_us);
    drain(t);
}

struct table *table_new(const struct table_config *config, const struct table_events *events,
                        void *owner) {
    assert(events->over && config->player[0] && config->player[1]);
    struct table *t = mem_new(1, sizeof *t);
    *t = (struct table){.around = *config, .events = events, .owner = owner};
    t->timer = timer_new(config->loop, table_time_passed, t);
    for (int i = 0; i < 2; i++)
        place_init(&t->place[i], t, &t->around, config->player[i]);
    return t;
}

// A person has none.
static struct wire *wire_of(struct place *p) {
    return p->player->kind == PLAYER_HUMAN ? NULL : &p->wire;
}

// The time to get ready runs for all who have a process, old or new.
static void begin_starts(struct table *t) {
    const int64_t now_us = clock_now_us();
    for (int i = 0; i < 2; i++) {
        struct place *p = &t->place[i];
        p->start_cpu_us = place_cpu_us(p);
        cpu_wait_init(&p->cpu_wait, p->start_cpu_us, place_cpu_us(&t->place[1 - i]), now_us);
        p->cpu_wait.at_start = true;
    }
}

bool table_play(struct table *t, const struct match_config *config, int black, struct err *err) {
    assert((black == 0 || black == 1) && !t->draining);
    match_free(t->match);
    t->black = black;
    t->plies = 0;
    t->match = match_new(config, wire_of(&t->place[black]), wire_of(&t->place[1 - black]));
    const char *failure = proxy_failure(config->rules.game);
    if (!t->match && failure)
        return err_set(err, "%s", failure);
    if (!t->match)
        return err_set(err, "the opening '%.100s' is not one of %s",
                       config->opening ? config->opening : "", config->rules.game->name);
    for (int i = 0; i < 2; i++) {
        t->place[i].number = i == black ? 1 : 2;
        place_begin_counting(&t->place[i]);
    }
    log_begin(t->around.log, config,
              (const char *[]){t->place[black].player->text, t->place[1 - black].player->text});
    t->timed = 0;
    t->draining = true; // whoever joins now is told of it below
    bool good = true;
    for (int i = 0; i < 2 && good; i++)
        good =
            config->absent[t->place[i].number - 1] || place_fill(&t->place[i], &place_events, err);
    begin_starts(t);
    match_start(t->match, clock_now_us()); // how long starting them took is not their time
    for (int i = 0; i < 2 && good; i++)
        if (t->place[i].lack)
            tell_remark(&t->place[i]);
    for (int i = 0; i < 2 && good; i++)
        if (t->place[i].connection || t->place[i].player->kind == PLAYER_HUMAN)
            match_joined(t->match, t->place[i].number, clock_now_us());
    t->draining = false;
    if (good)
        drain(t);
    return good;
}

void table_move(struct table *t, int seat, const char *moves) {
    assert((seat == 0 || seat == 1) && t->match);
    struct place *p = &t->place[seat];
    log_bytes(t->around.log, p->number, p->player->protocol, false, moves, strlen(moves));
    log_bytes(t->around.log, p->number, p->player->protocol, false, "\n", 1);
    match_play(t->match, p->number, moves, clock_now_us());
    begin_rest(p, -1);
    drain(t);
}

void table_resign(struct table *t, int seat) {
    assert((seat == 0 || seat == 1) && t->match && !match_is_over(t->match));
    log_note(t->around.log, "a person has given the game up");
    match_resign(t->match, t->place[seat].number);
    drain(t);
}

void table_agree(struct table *t) {
    assert(t->match && !match_is_over(t->match));
    log_note(t->around.log, "two persons have agreed to a draw");
    match_agree(t->match);
    drain(t);
}

void table_abort(struct table *t, const char *why) {
    if (!t->match || match_is_over(t->match))
        return;
    log_note(t->around.log, why);
    match_abort(t->match, why);
    drain(t);
}

const struct match *table_match(const struct table *t) { return t->match; }

const char *table_name(const struct table *t, int seat) {
    const struct place *p = &t->place[seat];
    return p->player->kind == PLAYER_HUMAN ? p->player->text
           : *p->wire.name                 ? p->wire.name
                                           : p->name;
}

const char *table_department(const struct table *t, int seat) {
    const struct place *p = &t->place[seat];
    return *p->wire.department ? p->wire.department : p->department;
}

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
