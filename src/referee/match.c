// SPDX-License-Identifier: MIT
// A match goes through three phases. While GREETING, both players get ready, each within its start
// time. While PLAYING, one request at a time is out; its clock runs from match_sent to the answer
// or the deadline. Then it is OVER. A player's faults are recorded with their evidence and cost
// what the penalties say: the game, a move played for him, or his turn.
//
// A player is connected or not, and its process has exited or not. Where `gone` costs `wait`, one
// that is not connected may join again; it has lost once it is not connected and its process has
// exited.
#include "referee/match.h"

#include "base/mem.h"
#include "games/text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STARVED_US = 10000000, FLOOD_BYTES = 1 << 20, QUOTE_MAX = 160 };

enum phase { GREETING, PLAYING, OVER };

struct seat {
    struct wire *wire;
    bool connected, ready;
    struct departure left; // how its process exited, if it has
    size_t flood;          // bytes since it was last asked
};

struct queued {
    struct action action;
    size_t from; // ACTION_SEND: where its bytes begin
};

struct match {
    struct match_config config;
    const struct game *game;
    enum phase phase;
    struct seat seat[2];
    union game_state state;
    int64_t start_us;         // of the greeting
    bool clock_runs;          // for the request that is out
    int64_t asked_us, cpu_us; // when it was sent
    int awaits;               // whose answer is due
    struct match_move *moves; // plies_max
    int plies, turn_ply;      // moves so far, and before the turn that is out
    int last_ply;             // where the turn before began
    struct buf text;          // all moves, parted by "; "
    struct fault *faults;
    int fault_count, fault_room, decisive; // decisive: the fault that ended it, -1: none
    int winner;
    const char *reason;
    struct queued *queue; // mostly a few; a player alone on the board can be asked often at once
    int queued, taken, queue_room;
    struct buf out; // bytes of the queued actions
};

static struct seat *seat_of(struct match *m, int player) { return &m->seat[player - 1]; }

static void push(struct match *m, struct action action) {
    if (m->taken == m->queued)
        m->taken = m->queued = 0;
    if (m->queued == m->queue_room) {
        m->queue_room = m->queue_room ? 2 * m->queue_room : 16;
        m->queue = mem_resize(m->queue, (size_t)m->queue_room * sizeof *m->queue);
    }
    m->queue[m->queued++] = (struct queued){.action = action};
}

// Queues what a wire has written into m->out behind `from`.
static void push_bytes(struct match *m, int player, size_t from) {
    if (m->out.length == from || !seat_of(m, player)->connected)
        return;
    push(m, (struct action){.kind = ACTION_SEND, .player = player, .length = m->out.length - from});
    m->queue[m->queued - 1].from = from;
}

static void push_deadline(struct match *m, int64_t at_us) {
    push(m, (struct action){.kind = ACTION_DEADLINE, .at_us = at_us});
}

// The bytes of actions that have been taken are not needed any more.
static void begin_event(struct match *m) {
    if (m->taken == m->queued)
        buf_clear(&m->out);
}

bool match_next(struct match *m, struct action *action) {
    if (m->taken == m->queued)
        return false;
    const struct queued *next = &m->queue[m->taken++];
    *action = next->action;
    if (action->kind == ACTION_SEND)
        action->bytes = m->out.data + next->from;
    return true;
}

static void finish(struct match *m, int winner, const char *reason) {
    if (m->phase == OVER)
        return;
    m->phase = OVER;
    m->awaits = 0;
    m->winner = winner;
    m->reason = reason;
    push_deadline(m, 0);
    for (int player = 1; player <= 2; player++) {
        const size_t from = m->out.length;
        wire_forget(seat_of(m, player)->wire);
        wire_over(seat_of(m, player)->wire, winner, reason, &m->out);
        push_bytes(m, player, from);
        if (m->config.freeze)
            push(m, (struct action){.kind = ACTION_RELEASE, .player = player});
    }
    push(m, (struct action){.kind = ACTION_END});
}

static struct fault *note_fault(struct match *m, int player, enum verdict verdict) {
    if (m->fault_count == m->fault_room) {
        m->fault_room = m->fault_room ? 2 * m->fault_room : 8;
        m->faults = mem_resize(m->faults, (size_t)m->fault_room * sizeof *m->faults);
    }
    struct fault *f = &m->faults[m->fault_count++];
    *f = (struct fault){.player = player, .verdict = verdict, .ply = m->plies};
    return f;
}

static void lose(struct match *m, int player) {
    m->decisive = m->fault_count - 1;
    finish(m, 3 - player, "forfeit");
}

static void record_move(struct match *m, move mv, bool by_referee) {
    char text[MOVE_TEXT_MAX];
    assert(m->plies < m->game->plies_max);
    m->game->write_move(&m->state, mv, text);
    if (m->plies > 0)
        buf_text(&m->text, "; ");
    m->moves[m->plies++] =
        (struct match_move){.text = m->text.length, .cpu_us = -1, .by_referee = by_referee};
    buf_text(&m->text, text);
    m->game->apply(&m->state, mv);
}

// How many moves the player to move makes in this turn. Only connect6 has turns of two: after the
// first stone of the game the players place pairs, so an odd number of stones begins one.
static int moves_due(const struct match *m) {
    const bool pairs = strcmp(m->game->name, "connect6") == 0;
    return pairs && m->plies % 2 == 1 && m->game->count(&m->state) > 1 ? 2 : 1;
}

// The limit of the turn that is out; 0: none.
static int64_t limit_us(const struct match *m) {
    return m->config.untimed[m->awaits - 1] ? 0 : m->config.time_us;
}

static void send_request(struct match *m) {
    struct seat *seat = seat_of(m, m->awaits);
    const size_t from = m->out.length;
    const struct wire_request request = {
        .state = &m->state,
        .time_us = limit_us(m),
        .due = moves_due(m),
        .seed = m->config.seed[m->awaits - 1],
        .moves = m->text.data ? m->text.data : "",
        .last = m->plies > 0 ? m->text.data + m->moves[m->last_ply].text : "",
    };
    wire_ask(seat->wire, &request, &m->out);
    push_bytes(m, m->awaits, from);
}

static void start_clock(struct match *m, int64_t now_us, int64_t cpu_us) {
    m->clock_runs = true;
    m->asked_us = now_us;
    m->cpu_us = cpu_us;
    if (limit_us(m) > 0)
        push_deadline(m, now_us + limit_us(m) + m->config.grace_us);
    else if (m->config.time_us > 0)
        push_deadline(m, 0); // that of the other's turn
}

// Asks whoever is to move, or ends the game if the rules have.
static void go_on(struct match *m, int64_t now_us) {
    const struct outcome end = m->game->outcome(&m->state);
    if (end.ending != ENDING_RUNNING) {
        finish(m, end.winner, ending_word(end.ending));
        return;
    }
    m->awaits = m->game->turn(&m->state);
    m->turn_ply = m->plies;
    m->clock_runs = false;
    seat_of(m, m->awaits)->flood = 0;
    if (m->config.freeze)
        push(m, (struct action){.kind = ACTION_RELEASE, .player = m->awaits});
    send_request(m);
    if (!seat_of(m, m->awaits)->connected)
        start_clock(m, now_us, -1); // nobody to send to: the turn runs all the same
}

// The turn is done, well or badly: its times stand on its last move.
static void end_turn(struct match *m, int64_t now_us, int64_t cpu_us) {
    struct match_move *last = &m->moves[m->plies - 1];
    last->us = m->clock_runs ? now_us - m->asked_us : 0;
    last->cpu_us = m->cpu_us >= 0 && cpu_us >= 0 ? cpu_us - m->cpu_us : -1;
    m->last_ply = m->turn_ply;
    const int player = m->awaits;
    if (!last->by_referee)
        wire_used(seat_of(m, player)->wire, last->us);
    if (m->config.freeze)
        push(m, (struct action){.kind = ACTION_HOLD, .player = player});
    go_on(m, now_us);
}

// Makes the player whose answer is due pay for the fault noted last.
static void pay(struct match *m, enum cost cost, int64_t now_us, int64_t cpu_us) {
    const int player = m->awaits;
    wire_forget(seat_of(m, player)->wire);
    if (cost == COST_FIRST)
        record_move(m, m->game->nth(&m->state, 0), true);
    else if (cost == COST_SKIP)
        record_move(m, MOVE_PASS, true);
    else {
        lose(m, player);
        return;
    }
    end_turn(m, now_us, cpu_us);
}

// Bytes as somebody can read them, cut when long.
static void put_readable(struct text *t, const char *bytes, size_t length) {
    for (size_t i = 0; i < length && i < QUOTE_MAX; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (c >= ' ' && c <= '~') {
            text_put_char(t, (char)c);
            continue;
        }
        text_put(t, "\\x");
        text_put_char(t, "0123456789abcdef"[c >> 4]);
        text_put_char(t, "0123456789abcdef"[c & 15]);
    }
    if (length > QUOTE_MAX)
        text_put(t, "...");
}

static void put_bytes(struct text *t, const char *bytes, size_t length) {
    text_put_char(t, '\'');
    put_readable(t, bytes, length);
    text_put_char(t, '\'');
}

static void illegal(struct match *m, const char *bytes, size_t length, const char *why,
                    int64_t now_us, int64_t cpu_us) {
    struct fault *f = note_fault(m, m->awaits, VERDICT_ILLEGAL);
    struct text t = text_begin(f->evidence, sizeof f->evidence);
    put_bytes(&t, bytes, length);
    text_put(&t, ": ");
    text_put(&t, why);
    pay(m, m->config.penalties.cost[FAULT_ILLEGAL], now_us, cpu_us);
}

// Plays the moves of an answer, parted by ';'. What the first of them decides stands.
static void take_answer(struct match *m, struct buf *words, int64_t now_us, int64_t cpu_us) {
    const int due = seat_of(m, m->awaits)->wire->due;
    char *rest = words->data;
    const char *said = "";
    for (int i = 0; i < due && !game_is_over(m->game, &m->state); i++) {
        char *text = strsep(&rest, ";");
        if (text)
            said = text;
        move mv = 0;
        const char *why = !text                  ? "fewer moves than were due"
                          : i == due - 1 && rest ? "more moves than were due"
                                                 : m->game->read_move(&m->state, text, &mv);
        if (!why)
            why = mv == MOVE_PASS ? "a pass is no move" : m->game->illegal(&m->state, mv);
        if (why) {
            illegal(m, said, strlen(said), why, now_us, cpu_us);
            return;
        }
        record_move(m, mv, false);
    }
    end_turn(m, now_us, cpu_us);
}

// Whether that was noted since the last move.
static bool has_fouled(const struct match *m, int player) {
    for (int i = m->fault_count - 1; i >= 0 && m->faults[i].ply == m->plies; i--)
        if (m->faults[i].player == player && m->faults[i].verdict == VERDICT_INVALID_TRANSFER)
            return true;
    return false;
}

static void foul(struct match *m, int player, const struct buf *words, int64_t now_us,
                 int64_t cpu_us) {
    if (player != m->awaits && has_fouled(m, player))
        return; // somebody may go on like that for long
    struct fault *f = note_fault(m, player, VERDICT_INVALID_TRANSFER);
    struct text t = text_begin(f->evidence, sizeof f->evidence);
    put_bytes(&t, words->data, words->length);
    enum cost cost = m->config.penalties.cost[FAULT_INVALID_TRANSFER];
    if (cost == COST_ILLEGAL)
        cost = m->config.penalties.cost[FAULT_ILLEGAL];
    if (cost == COST_LOSE)
        lose(m, player);
    else if (player == m->awaits) // out of turn it is only noted
        pay(m, cost, now_us, cpu_us);
}

static void refuse(struct match *m, int player, const struct buf *words) {
    struct fault *f = note_fault(m, player, VERDICT_REFUSED);
    struct text t = text_begin(f->evidence, sizeof f->evidence);
    put_readable(&t, words->data, words->length);
    lose(m, player);
}

static void greeted(struct match *m, int player, int64_t now_us) {
    seat_of(m, player)->ready = true;
    if (m->phase != GREETING || !m->seat[0].ready || !m->seat[1].ready)
        return;
    m->phase = PLAYING;
    push_deadline(m, 0);
    for (int i = 1; i <= 2 && m->config.freeze; i++)
        push(m, (struct action){.kind = ACTION_HOLD, .player = i});
    go_on(m, now_us);
}

// Reads all whole messages of a player.
static void read_messages(struct match *m, int player, int64_t now_us, int64_t cpu_us) {
    struct wire *wire = seat_of(m, player)->wire;
    while (m->phase != OVER) {
        const size_t from = m->out.length;
        const enum wire_event event = wire_take(wire, &m->out);
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
            take_answer(m, &wire->words, now_us, cpu_us);
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
    struct seat *seat = seat_of(m, player);
    const size_t from = m->out.length;
    wire_begin(seat->wire, &m->config.rules, player, m->config.time_us, &m->out);
    push_bytes(m, player, from);
    if (seat->wire->greeted)
        greeted(m, player, now_us);
    else
        read_messages(m, player, now_us, -1);
}

// The earliest start time of those who are not ready.
static int64_t start_deadline(const struct match *m) {
    int64_t at = 0;
    for (int i = 0; i < 2; i++)
        if (!m->seat[i].ready && (at == 0 || m->config.start_us[i] < at))
            at = m->config.start_us[i];
    return m->start_us + at;
}

void match_start(struct match *m, int64_t now_us) {
    begin_event(m);
    m->start_us = now_us;
    push_deadline(m, start_deadline(m));
}

void match_joined(struct match *m, int player, int64_t now_us) {
    begin_event(m);
    struct seat *seat = seat_of(m, player);
    if (m->phase == OVER || seat->connected)
        return;
    seat->connected = true;
    wire_reset(seat->wire);
    if (!seat->ready)
        begin_seat(m, player, now_us);
    else if (m->awaits == player)
        send_request(m); // the same turn, the same deadline
}

void match_sent(struct match *m, int player, int64_t now_us, int64_t cpu_us) {
    if (m->awaits != player || m->clock_runs)
        return;
    for (int i = m->taken; i < m->queued; i++)
        if (m->queue[i].action.kind == ACTION_SEND && m->queue[i].action.player == player)
            return; // this was something else; the request is still to be sent
    start_clock(m, now_us, cpu_us);
}

void match_bytes(struct match *m, int player, const char *bytes, size_t length, int64_t now_us,
                 int64_t cpu_us) {
    begin_event(m);
    struct seat *seat = seat_of(m, player);
    if (!seat->connected)
        return;
    seat->flood += length;
    while (length > 0 && m->phase != OVER) {
        const size_t part = wire_feed(seat->wire, bytes, length);
        bytes += part;
        length -= part;
        read_messages(m, player, now_us, cpu_us);
    }
    if (m->phase == OVER || seat->flood <= FLOOD_BYTES)
        return;
    snprintf(note_fault(m, player, VERDICT_FLOOD)->evidence, EVIDENCE_MAX,
             "more than %d bytes in a turn", FLOOD_BYTES);
    lose(m, player);
}

static void describe_departure(const struct departure *how, char evidence[static EVIDENCE_MAX]) {
    if (!how->exited)
        snprintf(evidence, EVIDENCE_MAX, "the connection or output was closed");
    else if (how->signal)
        snprintf(evidence, EVIDENCE_MAX, "killed by signal %d (%s)", how->signal,
                 strsignal(how->signal));
    else
        snprintf(evidence, EVIDENCE_MAX, "exited with code %d%s", how->code,
                 how->code == 127 ? ", which the shell gives for a command it cannot find" : "");
}

void match_gone(struct match *m, int player, const struct departure *how, int64_t now_us) {
    (void)now_us;
    begin_event(m);
    struct seat *seat = seat_of(m, player);
    if (how->exited)
        seat->left = *how;
    if (how->closed)
        seat->connected = false;
    if (m->phase == OVER || seat->connected)
        return;
    if (m->config.penalties.cost[FAULT_GONE] == COST_WAIT && !seat->left.exited && !how->final)
        return;
    const enum verdict verdict = seat->ready ? VERDICT_GONE : VERDICT_NOT_READY;
    describe_departure(&seat->left, note_fault(m, player, verdict)->evidence);
    lose(m, player);
}

static void not_ready(struct match *m, int64_t now_us) {
    int missing = 0, player = 0;
    for (int i = 0; i < 2; i++) {
        if (m->seat[i].ready || now_us < m->start_us + m->config.start_us[i])
            continue;
        player = i + 1;
        missing++;
        snprintf(note_fault(m, player, VERDICT_NOT_READY)->evidence, EVIDENCE_MAX,
                 "%s within %.3f s",
                 m->seat[i].connected ? "no answer to the greeting" : "not connected",
                 (double)m->config.start_us[i] / 1e6);
    }
    if (missing == 1)
        lose(m, player);
    else if (missing == 2)
        finish(m, 0, "forfeit");
    else
        push_deadline(m, start_deadline(m));
}

void match_deadline(struct match *m, const struct lateness *lateness, int64_t now_us,
                    int64_t cpu_us) {
    begin_event(m);
    if (m->phase == GREETING)
        not_ready(m, now_us);
    if (m->phase != PLAYING || !m->clock_runs || limit_us(m) == 0)
        return;
    // Time in which the machine did not let the player run is given back, within bounds.
    const int64_t most = m->config.time_us > STARVED_US ? m->config.time_us : STARVED_US;
    const int64_t starved = lateness->starved_us < most ? lateness->starved_us : most;
    const int64_t limit = m->config.time_us + m->config.grace_us + starved;
    const int64_t used = now_us - m->asked_us;
    if (used < limit) {
        push_deadline(m, m->asked_us + limit);
        return;
    }
    char cpu[40] = "not known";
    if (m->cpu_us >= 0 && cpu_us >= 0)
        snprintf(cpu, sizeof cpu, "%.6f s", (double)(cpu_us - m->cpu_us) / 1e6);
    snprintf(note_fault(m, m->awaits, VERDICT_LATE)->evidence, EVIDENCE_MAX,
             "%.6f s of %.6f s, CPU time %s, load %.2f, kept from running %.6f s, referee woken "
             "%.6f s late%s",
             (double)used / 1e6, (double)m->config.time_us / 1e6, cpu, lateness->load,
             (double)starved / 1e6, (double)lateness->woken_late_us / 1e6,
             seat_of(m, m->awaits)->connected ? "" : ", not connected");
    pay(m, m->config.penalties.cost[FAULT_LATE], now_us, cpu_us);
}

void match_abort(struct match *m, const char *why) {
    begin_event(m);
    (void)why;
    finish(m, 0, "aborted");
}

struct match *match_new(const struct match_config *config, struct wire *black, struct wire *white) {
    struct match *m = mem_new(1, sizeof *m);
    m->config = *config;
    m->game = config->rules.game;
    m->decisive = -1;
    m->reason = "";
    m->seat[0].wire = black;
    m->seat[1].wire = white;
    m->moves = mem_new((size_t)m->game->plies_max, sizeof *m->moves);
    char why[WHY_TEXT_MAX];
    bool good = m->game->start(&m->state, &config->rules, NULL, why);
    char *opening = mem_text(config->opening ? config->opening : ""), *rest = opening;
    int mover = 0;
    for (char *text; good && (text = strsep(&rest, ";"));) {
        move mv;
        if (text_at_end(text))
            continue;
        good = !m->game->read_move(&m->state, text, &mv) && !m->game->illegal(&m->state, mv);
        if (!good)
            break;
        if (m->game->turn(&m->state) != mover)
            m->last_ply = m->plies; // the turn before the first request begins here, or later
        mover = m->game->turn(&m->state);
        record_move(m, mv, true);
    }
    free(opening);
    if (good)
        return m;
    match_free(m);
    return NULL;
}

void match_free(struct match *m) {
    if (!m)
        return;
    free(m->moves);
    free(m->faults);
    free(m->queue);
    buf_done(&m->text);
    buf_done(&m->out);
    free(m);
}

bool match_is_over(const struct match *m) { return m->phase == OVER; }

const void *match_state(const struct match *m) { return &m->state; }

int match_awaits(const struct match *m) { return m->awaits; }

int match_winner(const struct match *m) { return m->winner; }

const char *match_reason(const struct match *m) { return m->reason; }

const struct fault *match_verdict(const struct match *m) {
    if (m->fault_count == 0)
        return NULL;
    return &m->faults[m->decisive >= 0 ? m->decisive : 0];
}

int match_faults(const struct match *m, const struct fault **faults) {
    *faults = m->faults;
    return m->fault_count;
}

int match_moves(const struct match *m, const struct match_move **moves, const char **text) {
    *moves = m->moves;
    *text = m->text.data ? m->text.data : "";
    return m->plies;
}

const char *match_move_text(const struct match *m, int ply, char text[static MOVE_TEXT_MAX]) {
    const char *from = m->text.data + m->moves[ply].text;
    snprintf(text, MOVE_TEXT_MAX, "%.*s", (int)strcspn(from, ";"), from);
    return text;
}
