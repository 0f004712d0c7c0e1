// SPDX-License-Identifier: MIT
// Input: the conditions of a match, then events, a few bytes each: players join, leave, answer well
// and badly, time passes. Checks what holds in any match whatever players do.
#include "fuzz.h"
#include "referee/audit.h"
#include "referee/record.h"

enum { EVENTS_MAX = 400, PLAIN_US = 1000000 };

struct world {
    struct match_config config;
    struct wire wire[2];
    struct match *match;
    struct rng rng;
    int64_t now, deadline;
    bool connected[2], held[2];
    int ends;
};

static const struct wire_protocol *protocol_for(const struct game *game, unsigned which) {
    const bool board = strcmp(game->name, "connect6") != 0 && strcmp(game->name, "cuptactoe") != 0;
    if (which % 2)
        return &wire_abp;
    return board ? &wire_stcp : strcmp(game->name, "connect6") == 0 ? &wire_sixline : &wire_pybot;
}

static void set_penalties(struct penalties *penalties, const struct game *game, unsigned which) {
    static const enum cost costs[] = {COST_LOSE, COST_FIRST, COST_SKIP, COST_WAIT, COST_ILLEGAL};
    penalties_init(penalties, game);
    for (int key = 0; key < FAULT_KEYS; key++, which /= 5) {
        struct err err = {.set = false};
        if (!penalties_set(penalties, game, fault_key_name((enum fault_key)key),
                           cost_word(costs[which % 5]), &err))
            check_why(err.text, sizeof err.text);
    }
}

static void check_action(struct world *w, const struct action *a) {
    assert(w->ends == 0);
    const int i = a->player - 1;
    switch (a->kind) {
    case ACTION_SEND:
        assert((i == 0 || i == 1) && w->connected[i] && a->length > 0);
        break;
    case ACTION_DEADLINE:
        assert(a->at_us == 0 || a->at_us > w->now - 10 * PLAIN_US);
        w->deadline = a->at_us;
        break;
    case ACTION_HOLD:
        assert(w->config.freeze && !w->held[i]);
        w->held[i] = true;
        break;
    case ACTION_RELEASE:
        assert(w->config.freeze);
        w->held[i] = false;
        break;
    case ACTION_ASK:
        assert(false); // nobody here is a person
        break;
    case ACTION_END:
        assert(match_is_over(w->match));
        w->ends++;
        break;
    }
}

static void check_faults(const struct world *w) {
    const struct fault *faults;
    const struct match_move *moves;
    const char *text;
    const int count = match_faults(w->match, &faults), plies = match_moves(w->match, &moves, &text);
    assert(count <= 3 * (plies + 2)); // nobody can make us note without end
    for (int i = 0; i < count; i++) {
        assert((faults[i].player == 1 || faults[i].player == 2) && faults[i].verdict);
        assert(faults[i].ply >= 0 && faults[i].ply <= plies);
        const size_t length = strnlen(faults[i].evidence, EVIDENCE_MAX);
        assert(length < EVIDENCE_MAX);
        for (size_t k = 0; k < length; k++)
            assert(faults[i].evidence[k] >= ' ' && faults[i].evidence[k] <= '~');
    }
}

// The moves as they are told lead to the position that is told.
static void check_moves_replay(const struct world *w) {
    const struct game *game = w->config.rules.game;
    const struct match_move *moves;
    const char *text;
    char why[WHY_TEXT_MAX], *bad, one[MOVE_TEXT_MAX];
    const int plies = match_moves(w->match, &moves, &text);
    void *state = mem_new(1, game->state_size);
    assert(game->start(state, &w->config.rules, NULL, why));
    char *line = mem_text(text);
    int ply;
    assert(!game_play_line(game, state, line, &ply, &bad) && ply == plies);
    assert(memcmp(state, match_state(w->match), game->state_size) == 0);
    for (int i = 0; i < plies; i++)
        assert(moves[i].us >= 0 && *match_move_text(w->match, i, one));
    free(line);
    free(state);
}

// Whatever has happened, the record of it is found true.
static void check_record(const struct world *w) {
    const struct conditions conditions = {.time_low_us = w->config.time_us,
                                          .time_high_us = w->config.time_us};
    struct player_limits limits;
    player_limits_init(&limits, w->config.rules.game);
    const struct record_info info = {
        .players = {w->config.untimed[0] ? "human" : "a", w->config.untimed[1] ? "human" : "b"},
        .names = {"", "B"},
        .number = 7,
        .conditions = &conditions,
        .limits = &limits,
    };
    char why[WHY_TEXT_MAX];
    json_t *made = record_make(w->match, &w->config, &info);
    char *line = record_line(made);
    json_t *record = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    const char *wrong = audit_check(record, why);
    if (wrong)
        fprintf(stderr, "%s: %s\n", wrong, line);
    assert(!wrong);
    json_decref(record);
    json_decref(made);
    free(line);
}

static void check_match(const struct world *w) {
    const struct match *m = w->match;
    const int awaits = match_awaits(m), winner = match_winner(m);
    assert(awaits >= 0 && awaits <= 2 && winner >= 0 && winner <= 2);
    assert(match_is_over(m) == (w->ends == 1));
    if (match_is_over(m)) {
        assert(awaits == 0 && w->deadline == 0 && *match_reason(m));
        assert(!w->held[0] && !w->held[1]);
        const struct fault *f = match_verdict(m);
        if (strcmp(match_reason(m), "forfeit") == 0 && winner != 0)
            assert(f && f->player == 3 - winner);
        return;
    }
    assert(winner == 0 && !*match_reason(m));
    if (awaits == 0) {
        assert(w->deadline > 0); // of the start
        return;
    }
    assert(awaits == w->config.rules.game->turn(match_state(m)));
    assert(w->held[awaits - 1] == false && w->held[2 - awaits] == w->config.freeze);
    const bool timed = w->config.time_us > 0 && !w->config.untimed[awaits - 1];
    assert((w->deadline > 0) == timed);
}

// Does what the match wants, and checks how it stands then.
static void drain(struct world *w) {
    struct action a;
    while (match_next(w->match, &a)) {
        check_action(w, &a);
        if (a.kind != ACTION_SEND)
            continue;
        w->now += (int64_t)rng_below(&w->rng, 50);
        match_sent(w->match, a.player, w->now, w->now / 3);
    }
    check_match(w);
}

static void put_int(struct buf *out, int n) {
    for (int i = 0; i < 4; i++)
        buf_put(out, (char[]){(char)((unsigned)n >> 8 * i)}, 1);
}

// A move as text becomes the bytes that a player of the protocol sends.
static void put_answer(struct buf *out, const struct wire *wire, const char *moves, int id) {
    if (wire->protocol == &wire_abp) {
        buf_format(out, "move id=%d %s\n", id, moves);
    } else if (wire->protocol == &wire_pybot) {
        buf_format(out, "=%s\n", moves);
    } else if (wire->protocol == &wire_sixline) {
        for (const char *c = moves; *c; c++)
            buf_put(out, *c == ';' ? " " : c, 1);
        buf_text(out, "\n");
    } else {
        int numbers[256], count = 0;
        for (const char *at = moves; *at && count < 256; at += *at != '\0') {
            char *rest;
            numbers[count++] = (int)strtol(at, &rest, 10);
            at = rest;
        }
        put_int(out, count / 2);
        put_int(out, id);
        for (int i = 0; i < count / 2 * 2; i++)
            put_int(out, numbers[i]);
    }
}

// A legal answer of whoever is asked, with an id that may be off.
static void answer(struct world *w, int player, int off) {
    const struct game *game = w->config.rules.game;
    const struct wire *wire = &w->wire[player - 1];
    struct buf moves = {.data = NULL}, out = {.data = NULL};
    union game_state state;
    memcpy(&state, match_state(w->match), game->state_size);
    for (int i = 0; i < (wire->due > 0 ? wire->due : 1) && !game_is_over(game, &state); i++) {
        char text[MOVE_TEXT_MAX];
        const move m = game->nth(&state, (int)rng_below(&w->rng, (uint32_t)game->count(&state)));
        game->write_move(&state, m, text);
        buf_format(&moves, "%s%s", i ? ";" : "", text);
        game->apply(&state, m);
    }
    if (moves.data)
        put_answer(&out, wire, moves.data, (int)wire->id + off);
    if (out.data)
        match_bytes(w->match, player, out.data, out.length, w->now, w->now / 3);
    buf_done(&moves);
    buf_done(&out);
}

// What a player says to be ready.
static void greet(struct world *w, int player) {
    static const char lines[] =
        "OK\nTeamName:A,Department:B\nOK\nOK\nOK\nOK\nOK\nOK\nOK\nOK\nOK\nOK\n";
    const struct wire_protocol *p = w->wire[player - 1].protocol;
    const char *said = p == &wire_sixline ? lines
                       : p == &wire_stcp  ? ""
                       : p == &wire_pybot ? "ready\n"
                                          : "ready A\n";
    match_bytes(w->match, player, said, strlen(said), w->now, -1);
}

static void leave(struct world *w, int player, unsigned how) {
    const struct departure d = {.exited = how % 4 == 1 || how % 4 == 2,
                                .code = (int)how,
                                .signal = how % 8 == 1 ? 9 : 0,
                                .closed = how % 4 != 2};
    if (d.closed)
        w->connected[player - 1] = false;
    match_gone(w->match, player, &d, w->now);
}

static void pass_time(struct world *w, unsigned much) {
    const struct lateness lateness = {
        .woken_late_us = much, .cpu_wait_us = much % 5 ? 0 : 1000 * (int64_t)much, .load = much};
    if (much >= 128 && w->deadline > w->now)
        w->now = w->deadline; // just when it is wanted; else at any time
    else
        w->now += 100 * (int64_t)much * much;
    if (w->deadline > 0 && (w->now >= w->deadline || much % 8 == 0))
        match_deadline(w->match, &lateness, w->now, much % 3 ? w->now / 3 : -1);
}

static void excuse(struct world *w, unsigned much) {
    const struct lateness lateness = {.woken_late_us = much * 1000, .cpu_wait_us = 10 * much};
    match_excuse(w->match, &lateness);
}

static void hear(struct world *w, int player, struct input *in, unsigned length) {
    const size_t size = length < in->left ? length : in->left;
    match_bytes(w->match, player, (const char *)in->at, size, w->now, -1);
    in->at += size;
    in->left -= size;
}

static void flood(struct world *w, int player, unsigned kind) {
    static char bytes[100000];
    memset(bytes, kind % 2 ? '\n' : (int)kind, sizeof bytes);
    match_bytes(w->match, player, bytes, sizeof bytes, w->now, -1);
}

static void happen(struct world *w, struct input *in) {
    const unsigned what = input_byte(in), much = input_byte(in);
    const int player = 1 + (int)(what >> 4 & 1), awaited = match_awaits(w->match);
    w->now += (int64_t)(what >> 5) * 1000;
    switch (what & 15) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        if (awaited)
            answer(w, awaited, 0);
        break;
    case 5:
        answer(w, player, (int)much % 5 - 2);
        break;
    case 6:
    case 7:
        w->connected[player - 1] |= !match_is_over(w->match);
        match_joined(w->match, player, w->now);
        break;
    case 8:
        greet(w, player);
        break;
    case 9:
        leave(w, player, much);
        break;
    case 10:
        if (much % 16 == 0)
            match_abort(w->match, "why not");
        break;
    case 11:
        if (much % 4 == 0)
            flood(w, player, much);
        break;
    case 12:
        excuse(w, much);
        break;
    case 13:
        hear(w, player, in, much);
        break;
    default:
        pass_time(w, much);
    }
}

static void begin(struct world *w, struct input *in) {
    struct setup setup;
    const unsigned game = input_byte(in), rules = input_byte(in), bits = input_byte(in);
    fuzz_setup(&setup, game, rules);
    *w = (struct world){.now = 1000, .rng = {bits}};
    w->config = (struct match_config){
        .rules = setup.rules,
        .time_us = bits & 1 ? PLAIN_US : 0,
        .start_us = {bits & 2 ? PLAIN_US : 5 * PLAIN_US, 2 * PLAIN_US},
        .grace_us = bits & 4 ? 1000 : 0,
        .untimed = {false, (bits & 24) == 24},
        .freeze = (bits & 32) != 0,
    };
    set_penalties(&w->config.penalties, setup.game, input_byte(in) | input_byte(in) << 8);
    for (unsigned i = 0; i < 2; i++)
        wire_init(&w->wire[i], protocol_for(setup.game, bits >> (6 + i)));
    w->match = match_new(&w->config, &w->wire[0], &w->wire[1]);
    assert(w->match);
    match_start(w->match, w->now);
    drain(w);
    for (int i = 0; i < 2 && (bits & 8); i++) { // most inputs should get as far as a game
        w->connected[i] = true;
        match_joined(w->match, i + 1, w->now);
        greet(w, i + 1);
        drain(w);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size};
    struct world w;
    begin(&w, &in);
    for (int i = 0; i < EVENTS_MAX && in.left > 0; i++) {
        happen(&w, &in);
        drain(&w);
    }
    check_faults(&w);
    check_moves_replay(&w);
    match_abort(w.match, "the end");
    drain(&w);
    assert(w.ends == 1);
    check_record(&w);
    match_free(w.match);
    for (int i = 0; i < 2; i++)
        wire_done(&w.wire[i]);
    return 0;
}
