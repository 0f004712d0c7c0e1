// SPDX-License-Identifier: MIT
// A match goes through three phases. While GREETING, both players get ready, each within its start
// time; one that fails has lost, but only once the other is ready: if that one fails as well, both
// have. While PLAYING, one request at a time is out; its clock runs from match_sent to the answer
// or the deadline. An answer is late by its own time, whether or not the deadline was told before
// it. Then it is OVER. A player's faults are recorded with their evidence and cost
// what the penalties say: the game, a move played for it, or its turn.
//
// A player is connected or not, and its process has exited or not. Where `gone` costs `wait`, one
// that is not connected may join again; it has lost once it is not connected and its process has
// exited.
//
// What a player is kept from running, at the start or in a turn, is not charged to it. If the
// machine has done so for longer than can be excused, nobody has lost: the game ends by a fault of
// the platform. What its opponent has taken from it is excused without end, and is none.
//
// Rules from outside may fail at any question. What they answer then means nothing, so before
// anything is made of answers it is asked whether they have.
#include "referee/match.h"

#include "base/mem.h"
#include "folder/proxy.h"
#include "referee/turn.h"
#include "spec/spec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOOD_BYTES = 1 << 20, RIVAL_MAX_US = 10000000, ASK_AGAIN_US = 5000 };

enum phase { GREETING, PLAYING, OVER };

struct match_seat {
    struct wire *wire; // NULL: a person
    bool connected, ready;
    bool failed;               // before the other was ready: nothing is heard of it any more
    struct departure left;     // how its process exited, if it has
    size_t flood;              // bytes since it was last asked
    char remark[EVIDENCE_MAX]; // what is known of it besides
    // While it gets ready: what there is to say for it, when that was last told.
    struct lateness start;
    int64_t start_cpu_us;
};

struct match {
    struct match_config config;
    const struct game *game;
    struct sheet sheet;
    enum phase phase;
    struct match_seat seat[2];
    int64_t start_us;         // of the greeting
    int awaits;               // whose answer is due
    int turn_ply;             // where the turn that is out began
    struct turn turn;         // its clock
    struct lateness lateness; // in this turn, as it was last told
    int decisive;             // the fault that ended it, -1: none
    int winner;
    enum finish finish;
    const char *reason;  // its word, or that of the rules; "" while the game goes on
    bool rival_held;     // in this turn: it has taken the core from who is to move, for too long
    int platform_player; // whom a fault of the platform has befallen, which ended it; 0: nobody
    char platform_fault[EVIDENCE_MAX];
    struct actions actions;
};

static struct match_seat *seat_of(struct match *m, int player) {
    assert(player == 1 || player == 2);
    return &m->seat[player - 1];
}

static void push_deadline(struct match *m, int64_t at_us) {
    actions_push(&m->actions, (struct action){.kind = ACTION_DEADLINE, .at_us = at_us});
}

// If that is over, and what there is to say for the player is not all known yet: soon again.
static void push_turn_deadline(struct match *m, int64_t now_us) {
    const int64_t until_us = turn_until_us(&m->turn);
    actions_push(&m->actions,
                 (struct action){.kind = ACTION_DEADLINE,
                                 .player = m->awaits,
                                 .at_us = until_us > 0 && until_us <= now_us ? now_us + ASK_AGAIN_US
                                                                             : until_us,
                                 .since_us = m->turn.asked_us,
                                 .cpu_us = m->turn.cpu_us});
}

static void push(struct match *m, enum action_kind kind, int player) {
    actions_push(&m->actions, (struct action){.kind = kind, .player = player});
}

// Queues what a wire has written behind `from`, if it can be sent.
static void push_bytes(struct match *m, int player, size_t from) {
    if (seat_of(m, player)->connected)
        actions_push_bytes(&m->actions, player, from);
}

static void finish(struct match *m, int winner, enum finish how) {
    if (m->phase == OVER)
        return;
    m->phase = OVER;
    m->awaits = 0;
    m->winner = winner;
    m->finish = how;
    m->reason = how == FINISH_RULES
                    ? game_ending_word(m->game, m->game->outcome(&m->sheet.state).ending)
                    : finish_word(how);
    push_deadline(m, 0);
    for (int player = 1; player <= 2; player++) {
        struct wire *wire = seat_of(m, player)->wire;
        const size_t from = m->actions.bytes.length;
        if (wire) {
            wire_forget(wire);
            wire_over(wire, winner, m->reason, &m->actions.bytes);
            push_bytes(m, player, from);
        }
        if (m->config.freeze || m->rival_held)
            push(m, ACTION_RELEASE, player);
    }
    push(m, ACTION_END, 0);
}

// Nobody has lost.
static void break_off(struct match *m, int player) {
    m->platform_player = player;
    finish(m, 0, FINISH_PLATFORM);
}

// Rules from outside that have failed end the game, and are nobody's fault who plays.
static bool rules_failed(struct match *m) {
    const char *failure = proxy_failure(m->game);
    if (!failure)
        return false;
    snprintf(m->platform_fault, sizeof m->platform_fault, "%s", failure);
    break_off(m, m->awaits ? m->awaits : BLACK);
    return true;
}

static int64_t start_until_us(const struct match *m, int player, int64_t *beyond_us) {
    const struct lateness *l = &m->seat[player - 1].start;
    const int64_t limit_us = m->config.start_us[player - 1];
    return m->start_us + limit_us + turn_excused_us(limit_us, l, beyond_us);
}

// The earliest start time of those who may still get ready.
static int64_t start_deadline(const struct match *m, int64_t now_us) {
    int64_t first = 0, unused;
    for (int i = 1; i <= 2; i++) {
        int64_t at = start_until_us(m, i, &unused);
        if (at <= now_us) // what there is to say for it is not all known yet
            at = now_us + ASK_AGAIN_US;
        if (!m->seat[i - 1].ready && !m->seat[i - 1].failed && (first == 0 || at < first))
            first = at;
    }
    return first > 0 ? first : m->start_us;
}

// Somebody has failed, or got ready, while the players were greeted.
static void judge_greeting(struct match *m) {
    const bool black = m->seat[0].failed, white = m->seat[1].failed;
    if (black && white) {
        m->decisive = -1;
        finish(m, 0, FINISH_FORFEIT);
    } else if ((black && m->seat[1].ready) || (white && m->seat[0].ready)) {
        finish(m, black ? 2 : 1, FINISH_FORFEIT);
    } else {
        push_deadline(m, start_deadline(m, 0));
    }
}

// For the fault noted last.
static void lose(struct match *m, int player) {
    m->decisive = m->sheet.fault_count - 1;
    seat_of(m, player)->failed = true;
    if (m->phase == GREETING)
        judge_greeting(m);
    else
        finish(m, side_other(player), FINISH_FORFEIT);
}

static void start_clock(struct match *m, int64_t now_us, int64_t cpu_us) {
    turn_start(&m->turn, now_us, cpu_us);
    if (m->config.time_us > 0)
        push_turn_deadline(m, now_us); // or none, instead of that of the other's turn
}

static void send_request(struct match *m) {
    struct match_seat *seat = seat_of(m, m->awaits);
    const size_t from = m->actions.bytes.length;
    const struct wire_request request = {
        .state = &m->sheet.state,
        .time_us = m->turn.limit_us,
        .due = m->game->due(&m->sheet.state),
        .seed = m->config.seed[m->awaits - 1],
        .moves = m->sheet.text.data ? m->sheet.text.data : "",
        .last =
            m->sheet.plies > 0 ? m->sheet.text.data + m->sheet.moves[m->sheet.last_ply].text : "",
    };
    wire_ask(seat->wire, &request, &m->actions.bytes);
    if (!rules_failed(m))
        push_bytes(m, m->awaits, from);
}

// The clock of a person starts after his first move.
static int64_t limit_of(const struct match *m, int player) {
    const bool first = !m->seat[player - 1].wire && !m->sheet.moved[player - 1];
    return first || m->config.untimed[player - 1] ? 0 : m->config.time_us;
}

// Asks whoever is to move, or ends the game if the rules have.
static void go_on(struct match *m, int64_t now_us) {
    const struct outcome end = m->game->outcome(&m->sheet.state);
    const int mover = m->game->turn(&m->sheet.state);
    if (rules_failed(m))
        return;
    if (end.ending != ENDING_RUNNING) {
        finish(m, end.winner, FINISH_RULES);
        return;
    }
    m->awaits = mover;
    m->turn_ply = m->sheet.plies;
    turn_init(&m->turn, limit_of(m, m->awaits), m->config.grace_us);
    m->lateness = (struct lateness){.load = m->lateness.load};
    seat_of(m, m->awaits)->flood = 0;
    if (m->config.freeze)
        push(m, ACTION_RELEASE, m->awaits);
    if (seat_of(m, m->awaits)->wire)
        send_request(m);
    else
        push(m, ACTION_ASK, m->awaits);
    if (m->phase != OVER && (!seat_of(m, m->awaits)->wire || !seat_of(m, m->awaits)->connected))
        start_clock(m, now_us, -1); // nothing is sent: the turn runs all the same
}

// A player that has kept its opponent from running for so long is held until that one has answered.
static void hold_rival(struct match *m) {
    if (m->rival_held || m->config.freeze || m->lateness.rival_us < RIVAL_MAX_US)
        return;
    m->rival_held = true;
    push(m, ACTION_HOLD, side_other(m->awaits));
}

static void release_rival(struct match *m, int rival) {
    if (m->rival_held)
        push(m, ACTION_RELEASE, rival);
    m->rival_held = false;
}

// The turn is done, well or badly: its times stand on its last move.
static void end_turn(struct match *m, int64_t now_us, int64_t cpu_us) {
    if (rules_failed(m))
        return;
    struct match_move *last = &m->sheet.moves[m->sheet.plies - 1];
    last->us = turn_used_us(&m->turn, now_us);
    last->cpu_us = turn_cpu_us(&m->turn, cpu_us);
    last->credit_us = turn_credit_us(&m->turn, now_us);
    m->sheet.last_ply = m->turn_ply;
    const int player = m->awaits;
    if (!last->by_referee && seat_of(m, player)->wire)
        wire_used(seat_of(m, player)->wire, last->us);
    if (m->config.freeze)
        push(m, ACTION_HOLD, player);
    release_rival(m, side_other(player));
    go_on(m, now_us);
}

// Makes the player whose answer is due pay for the fault noted last.
static void pay_penalty(struct match *m, enum verdict verdict, int64_t now_us, int64_t cpu_us) {
    const int player = m->awaits;
    const enum cost cost = penalties_cost(&m->config.penalties, verdict);
    if (seat_of(m, player)->wire)
        wire_forget(seat_of(m, player)->wire);
    if (cost == COST_FIRST)
        sheet_play(&m->sheet, m->game->nth(&m->sheet.state, 0), true);
    else if (cost == COST_SKIP)
        sheet_play(&m->sheet, MOVE_PASS, true);
    else {
        lose(m, player);
        return;
    }
    end_turn(m, now_us, cpu_us);
}

static void illegal(struct match *m, const char *bytes, size_t length, const char *why,
                    int64_t now_us, int64_t cpu_us) {
    if (rules_failed(m))
        return;
    evidence_bytes(sheet_fault(&m->sheet, m->awaits, VERDICT_ILLEGAL)->evidence, bytes, length,
                   why);
    pay_penalty(m, VERDICT_ILLEGAL, now_us, cpu_us);
}

static void be_late(struct match *m, int64_t woken_late_us, int64_t now_us, int64_t cpu_us) {
    const struct overdue turn = {
        .used_us = turn_used_us(&m->turn, now_us),
        .limit_us = m->turn.limit_us,
        .cpu_us = turn_cpu_us(&m->turn, cpu_us),
        .connected = seat_of(m, m->awaits)->connected,
    };
    if (turn_is_held_up(&m->turn, now_us)) {
        evidence_held_up(m->platform_fault, &turn, &m->lateness);
        break_off(m, m->awaits);
        return;
    }
    struct fault *f = sheet_fault(&m->sheet, m->awaits, VERDICT_LATE);
    f->us = turn.used_us;
    f->credit_us = turn_credit_us(&m->turn, now_us);
    const struct lateness lateness = {.woken_late_us = woken_late_us,
                                      .cpu_wait_us = m->turn.cpu_wait_us,
                                      .load = m->lateness.load};
    evidence_late(f->evidence, &turn, &lateness);
    pay_penalty(m, VERDICT_LATE, now_us, cpu_us);
}

// Players that have no rules of their own do not know what is legal after their first move: they
// may answer move by move, within the time of the turn.
static bool asks_on(struct match *m, int played, int64_t now_us) {
    if (played == 0 || !seat_of(m, m->awaits)->wire || !spec_of(m->game)->rules_sum)
        return false;
    const int64_t whole_us = m->turn.limit_us, used_us = turn_used_us(&m->turn, now_us);
    if (whole_us > 0) // what is told; the deadline stays as it was
        m->turn.limit_us = whole_us > used_us ? whole_us - used_us : 1;
    send_request(m);
    m->turn.limit_us = whole_us;
    return true;
}

// Plays the moves of an answer, separated by ';'. What the first of them decides stands.
static void take_answer(struct match *m, char *rest, int64_t now_us, int64_t cpu_us) {
    const int due = m->game->due(&m->sheet.state);
    const char *said = "";
    for (int i = 0; i < due && !game_is_over(m->game, &m->sheet.state); i++) {
        char *text = strsep(&rest, ";");
        if (text)
            said = text;
        else if (asks_on(m, i, now_us))
            return;
        move mv = 0;
        const char *why = !text                  ? "fewer moves than were due"
                          : i == due - 1 && rest ? "more moves than were due"
                                                 : m->game->read_move(&m->sheet.state, text, &mv);
        if (!why)
            why = mv == MOVE_PASS ? "a pass is no move" : m->game->illegal(&m->sheet.state, mv);
        if (why) {
            illegal(m, said, strlen(said), why, now_us, cpu_us);
            return;
        }
        sheet_play(&m->sheet, mv, false);
    }
    end_turn(m, now_us, cpu_us);
}

static void foul(struct match *m, int player, const struct buf *words, int64_t now_us,
                 int64_t cpu_us) {
    if (player != m->awaits && sheet_has_fault(&m->sheet, player, VERDICT_INVALID_TRANSFER))
        return; // somebody may go on like that for long
    struct fault *f = sheet_fault(&m->sheet, player, VERDICT_INVALID_TRANSFER);
    evidence_bytes(f->evidence, words->data, words->length, NULL);
    if (player == m->awaits)
        pay_penalty(m, VERDICT_INVALID_TRANSFER, now_us, cpu_us);
    else if (penalties_cost(&m->config.penalties, VERDICT_INVALID_TRANSFER) == COST_LOSE)
        lose(m, player); // otherwise it is only noted
}

static void refuse(struct match *m, int player, const struct buf *words) {
    struct fault *f = sheet_fault(&m->sheet, player, VERDICT_REFUSED);
    evidence_words(f->evidence, words->data, words->length);
    evidence_remark(f->evidence, seat_of(m, player)->remark);
    lose(m, player);
}

static void greeted(struct match *m, int player, int64_t now_us) {
    seat_of(m, player)->ready = true;
    if (m->phase != GREETING)
        return;
    if (seat_of(m, side_other(player))->failed)
        judge_greeting(m);
    if (m->phase == OVER || !m->seat[0].ready || !m->seat[1].ready)
        return;
    m->phase = PLAYING;
    push_deadline(m, 0);
    for (int i = 1; i <= 2 && m->config.freeze; i++)
        push(m, ACTION_HOLD, i);
    go_on(m, now_us);
}

// Reads all whole messages of a player.
static void read_messages(struct match *m, int player, int64_t now_us, int64_t cpu_us) {
    struct wire *wire = seat_of(m, player)->wire;
    while (m->phase != OVER && !seat_of(m, player)->failed) {
        const size_t from = m->actions.bytes.length;
        const enum wire_event event = wire_take(wire, &m->actions.bytes);
        push_bytes(m, player, from);
        switch (event) {
        case WIRE_NOTHING:
            return;
        case WIRE_READY:
            greeted(m, player, now_us);
            break;
        case WIRE_REFUSED:
            refuse(m, player, &wire->words);
            break;
        case WIRE_ANSWER:
            take_answer(m, wire->words.data, now_us, cpu_us);
            break;
        case WIRE_NO_MOVE:
            illegal(m, wire->words.data, wire->words.length, "no move", now_us, cpu_us);
            break;
        case WIRE_FOUL:
            foul(m, player, &wire->words, now_us, cpu_us);
            break;
        case WIRE_SKIPPED:
            break;
        }
    }
}

static void begin_seat(struct match *m, int player, int64_t now_us) {
    struct match_seat *seat = seat_of(m, player);
    const size_t from = m->actions.bytes.length;
    if (!seat->wire) {
        greeted(m, player, now_us);
        return;
    }
    wire_begin(seat->wire, &m->config.rules, player, m->config.time_us, &m->actions.bytes);
    push_bytes(m, player, from);
    if (seat->wire->greeted)
        greeted(m, player, now_us);
    else
        read_messages(m, player, now_us, -1);
}

// Something happens in this match: what failed in another one is done with.
static void begin(struct match *m) {
    actions_tidy(&m->actions);
    proxy_forget();
}

void match_start(struct match *m, int64_t now_us) {
    begin(m);
    m->start_us = now_us;
    for (int i = 0; i < 2; i++) {
        if (!m->config.absent[i])
            continue;
        snprintf(sheet_fault(&m->sheet, i + 1, VERDICT_NOT_READY)->evidence, EVIDENCE_MAX, "%s",
                 m->config.absent[i]);
        lose(m, i + 1);
    }
    if (m->phase == GREETING)
        push_deadline(m, start_deadline(m, 0));
}

void match_joined(struct match *m, int player, int64_t now_us) {
    begin(m);
    struct match_seat *seat = seat_of(m, player);
    if (m->phase == OVER || seat->connected || seat->failed)
        return;
    seat->connected = true;
    if (seat->wire)
        wire_reset(seat->wire);
    if (!seat->ready)
        begin_seat(m, player, now_us);
    else if (m->awaits == player)
        send_request(m); // the same turn, the same deadline
}

void match_sent(struct match *m, int player, int64_t now_us, int64_t cpu_us) {
    if (m->awaits != player || m->turn.runs)
        return;
    if (actions_have_send(&m->actions, player))
        return; // this was something else; the request is still to be sent
    start_clock(m, now_us, cpu_us);
}

void match_bytes(struct match *m, int player, const char *bytes, size_t length, int64_t now_us,
                 int64_t cpu_us) {
    begin(m);
    struct match_seat *seat = seat_of(m, player);
    if (!seat->connected || seat->failed)
        return;
    if (player == m->awaits && turn_is_over(&m->turn, now_us))
        be_late(m, m->turn.woken_late_us, now_us, cpu_us); // these answer an old request, if any
    seat->flood += length;
    while (length > 0 && m->phase != OVER && !seat->failed) {
        const size_t part = wire_feed(seat->wire, bytes, length);
        bytes += part;
        length -= part;
        read_messages(m, player, now_us, cpu_us);
    }
    if (m->phase == OVER || seat->failed || seat->flood <= FLOOD_BYTES)
        return;
    snprintf(sheet_fault(&m->sheet, player, VERDICT_FLOOD)->evidence, EVIDENCE_MAX,
             "more than %d bytes in a turn", FLOOD_BYTES);
    lose(m, player);
}

void match_play(struct match *m, int player, const char *moves, int64_t now_us) {
    assert(!seat_of(m, player)->wire && player == m->awaits);
    actions_tidy(&m->actions); // rules that failed when the move was tried end the game
    if (turn_is_over(&m->turn, now_us)) {
        be_late(m, m->turn.woken_late_us, now_us, -1);
        return;
    }
    char *copy = mem_text(moves);
    take_answer(m, copy, now_us, -1);
    free(copy);
}

void match_remark(struct match *m, int player, const char *words) {
    snprintf(seat_of(m, player)->remark, EVIDENCE_MAX, "%s", words);
}

void match_gone(struct match *m, int player, const struct departure *how, int64_t now_us) {
    (void)now_us;
    begin(m);
    struct match_seat *seat = seat_of(m, player);
    if (how->exited)
        seat->left = *how;
    if (how->closed)
        seat->connected = false;
    if (m->phase == OVER || seat->failed || (seat->connected && !how->over))
        return;
    if (how->over) {
        evidence_memory(sheet_fault(&m->sheet, player, VERDICT_MEMORY)->evidence, how);
        lose(m, player);
        return;
    }
    if (m->config.penalties.cost[FAULT_GONE] == COST_WAIT && !seat->left.exited && !how->final)
        return;
    // A player of ours runs the same rules as we do, and ends where rules from outside fail.
    if (m->config.ours[player - 1] && spec_of(m->game)->rules_sum) {
        evidence_departure(m->platform_fault, &seat->left);
        evidence_remark(m->platform_fault, seat->remark);
        break_off(m, player);
        return;
    }
    const enum verdict verdict = seat->ready ? VERDICT_GONE : VERDICT_NOT_READY;
    char *evidence = sheet_fault(&m->sheet, player, verdict)->evidence;
    evidence_departure(evidence, &seat->left);
    evidence_remark(evidence, seat->remark);
    lose(m, player);
}

// A player's time to get ready is up.
static void miss_start(struct match *m, int player, bool held_up, int64_t now_us) {
    const struct match_seat *seat = seat_of(m, player);
    const struct overdue start = {.used_us = now_us - m->start_us,
                                  .limit_us = m->config.start_us[player - 1],
                                  .cpu_us = seat->start_cpu_us,
                                  .connected = seat->connected};
    if (held_up) {
        evidence_held_up(m->platform_fault, &start, &seat->start);
        break_off(m, player);
        return;
    }
    char *evidence = sheet_fault(&m->sheet, player, VERDICT_NOT_READY)->evidence;
    evidence_not_ready(evidence, &start, &seat->start);
    evidence_remark(evidence, seat->remark);
    lose(m, player);
}

static void not_ready(struct match *m, int64_t now_us) {
    for (int i = 1; i <= 2 && m->phase == GREETING; i++) {
        const struct match_seat *seat = seat_of(m, i);
        int64_t beyond_us;
        const int64_t until_us = start_until_us(m, i, &beyond_us);
        if (!seat->ready && !seat->failed && now_us >= until_us + seat->start.maybe_us)
            miss_start(m, i, beyond_us > 0 && now_us <= until_us + beyond_us, now_us);
    }
    if (m->phase == GREETING)
        push_deadline(m, start_deadline(m, now_us));
}

void match_excuse_start(struct match *m, int player, const struct lateness *lateness,
                        int64_t cpu_us) {
    seat_of(m, player)->start = *lateness;
    seat_of(m, player)->start_cpu_us = cpu_us;
}

void match_deadline(struct match *m, const struct lateness *lateness, int64_t now_us,
                    int64_t cpu_us) {
    begin(m);
    if (m->phase == GREETING)
        not_ready(m, now_us);
    if (m->phase != PLAYING || turn_until_us(&m->turn) == 0)
        return;
    m->lateness = *lateness;
    turn_excuse(&m->turn, lateness, false); // all that had come was read
    if (now_us >= turn_until_us(&m->turn) + lateness->maybe_us) {
        be_late(m, lateness->woken_late_us, now_us, cpu_us);
        return;
    }
    push_turn_deadline(m, now_us);
    hold_rival(m);
}

void match_excuse(struct match *m, const struct lateness *lateness) {
    m->lateness = *lateness;
    turn_excuse(&m->turn, lateness, true);
}

void match_abort(struct match *m, const char *why) {
    begin(m);
    (void)why;
    finish(m, 0, FINISH_ABORTED);
}

void match_resign(struct match *m, int player) {
    assert(!seat_of(m, player)->wire);
    begin(m);
    finish(m, side_other(player), FINISH_RESIGNED);
}

void match_agree(struct match *m) {
    assert(!m->seat[0].wire && !m->seat[1].wire);
    begin(m);
    finish(m, 0, FINISH_AGREED);
}

struct match *match_new(const struct match_config *config, struct wire *black, struct wire *white) {
    assert(config->rules.game && config->time_us >= 0 && config->grace_us >= 0);
    struct match *m = mem_new(1, sizeof *m);
    m->config = *config;
    m->game = config->rules.game;
    m->decisive = -1;
    m->reason = "";
    m->seat[0].start_cpu_us = m->seat[1].start_cpu_us = -1;
    m->seat[0].wire = black;
    m->seat[1].wire = white;
    if (sheet_init(&m->sheet, &config->rules, config->opening))
        return m;
    match_free(m);
    return NULL;
}

void match_free(struct match *m) {
    if (!m)
        return;
    sheet_done(&m->sheet);
    actions_done(&m->actions);
    free(m);
}

bool match_next(struct match *m, struct action *action) {
    return actions_next(&m->actions, action);
}

bool match_is_over(const struct match *m) { return m->phase == OVER; }

const void *match_state(const struct match *m) { return &m->sheet.state; }

int match_awaits(const struct match *m) { return m->awaits; }

bool match_is_timed(const struct match *m) { return m->awaits > 0 && m->turn.limit_us > 0; }

bool match_is_overdue(const struct match *m, int64_t now_us) {
    return m->awaits > 0 && turn_is_over(&m->turn, now_us);
}

int match_winner(const struct match *m) { return m->winner; }

enum finish match_finish(const struct match *m) { return m->finish; }

const char *match_reason(const struct match *m) { return m->reason; }

const char *match_platform_fault(const struct match *m, int *player) {
    *player = m->platform_player;
    return m->platform_player ? m->platform_fault : NULL;
}

const struct fault *match_verdict(const struct match *m) {
    if (m->sheet.fault_count == 0)
        return NULL;
    return &m->sheet.faults[m->decisive >= 0 ? m->decisive : 0];
}

int match_faults(const struct match *m, const struct fault **faults) {
    *faults = m->sheet.faults;
    return m->sheet.fault_count;
}

int match_moves(const struct match *m, const struct match_move **moves, const char **text) {
    *moves = m->sheet.moves;
    *text = m->sheet.text.data ? m->sheet.text.data : "";
    return m->sheet.plies;
}

int match_opening(const struct match *m) { return m->sheet.opening; }

const char *match_move_text(const struct match *m, int ply, char text[static MOVE_TEXT_MAX]) {
    return sheet_move_text(&m->sheet, ply, text);
}
