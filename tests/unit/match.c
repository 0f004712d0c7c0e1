// SPDX-License-Identifier: MIT
// What tests/data/sessions cannot say of the referee's state machine: matches that cannot begin,
// events at odd moments, what it tells of itself, and the words for faults and costs.
#include "referee/match.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct play {
    struct match_config config;
    struct wire wire[2];
    struct match *match;
    int sends, ends;
    int64_t deadline;
    struct action timed; // as it came
    struct buf last;     // what was sent last
};

static void begin(struct play *p, const char *game, const struct wire_protocol *protocol) {
    *p = (struct play){.config = {.time_us = 5000000, .start_us = {1000000, 1000000}}};
    ruleset_init(&p->config.rules, game_find(game));
    penalties_init(&p->config.penalties, game_find(game));
    wire_init(&p->wire[0], protocol);
    wire_init(&p->wire[1], protocol);
}

static void end(struct play *p) {
    match_free(p->match);
    wire_done(&p->wire[0]);
    wire_done(&p->wire[1]);
    buf_done(&p->last);
}

// Does what the match wants; everything is sent at `now`.
static void drain(struct play *p, int64_t now) {
    struct action a;
    while (match_next(p->match, &a)) {
        p->ends += a.kind == ACTION_END;
        if (a.kind == ACTION_DEADLINE)
            p->deadline = a.at_us;
        if (a.kind == ACTION_DEADLINE)
            p->timed = a;
        if (a.kind != ACTION_SEND)
            continue;
        p->sends++;
        buf_clear(&p->last);
        buf_put(&p->last, a.bytes, a.length);
        match_sent(p->match, a.player, now, -1);
    }
}

static void say(struct play *p, int player, const char *text, int64_t now) {
    match_bytes(p->match, player, text, strlen(text), now, -1);
    drain(p, now);
}

static void start(struct play *p, int64_t now) {
    p->match = match_new(&p->config, &p->wire[0], &p->wire[1]);
    assert_non_null(p->match);
    match_start(p->match, now);
    match_joined(p->match, 1, now);
    match_joined(p->match, 2, now);
    drain(p, now);
}

static void test_openings_that_cannot_be(void **state) {
    (void)state;
    static const struct {
        const char *game, *opening;
    } cases[] = {
        {"reversi", "3,3; 3,3"},       {"reversi", "3,3; what"}, {"reversi", "0,0"},
        {"hopchess", "2,2 2,3; pass"}, {"connect6", "9,9 8,8"},  {"cuptactoe", "3 0; 90 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct play p;
        begin(&p, cases[i].game, &wire_abp);
        p.config.opening = cases[i].opening;
        assert_null(match_new(&p.config, &p.wire[0], &p.wire[1]));
        end(&p);
    }
    match_free(NULL);
}

static void test_rules_that_do_not_fit(void **state) {
    (void)state;
    struct play p;
    char why[WHY_TEXT_MAX];
    begin(&p, "connect6", &wire_abp);
    assert_true(ruleset_set(&p.config.rules, "blocks", "1,1", why)); // an odd number
    assert_null(match_new(&p.config, &p.wire[0], &p.wire[1]));
    end(&p);
}

static void test_what_it_tells_of_itself(void **state) {
    (void)state;
    struct play p;
    char text[MOVE_TEXT_MAX];
    const struct match_move *moves;
    const struct fault *faults;
    const char *all;
    begin(&p, "hopchess", &wire_abp);
    p.config.opening = " ; 2,2 2,3;3,5 3,4 ;";
    start(&p, 7);
    assert_int_equal(p.deadline, 1000007);
    assert_int_equal(p.timed.player, 0);
    assert_false(match_is_over(p.match));
    assert_int_equal(match_awaits(p.match), 0);
    assert_string_equal(match_reason(p.match), "");
    assert_null(match_verdict(p.match));
    say(&p, 1, "ready\n", 10);
    say(&p, 2, "ready\n", 10);
    assert_int_equal(match_awaits(p.match), 1);
    assert_int_equal(p.deadline, 5000010);
    assert_true(p.timed.player == 1 && p.timed.since_us == 10 && p.timed.cpu_us == -1);
    say(&p, 1, "move id=1 2,3 2,4\n", 20);
    assert_true(p.timed.player == 2 && p.timed.since_us == 20 && p.timed.at_us == 5000020);
    say(&p, 2, "move id=1 7,7 0,0\n", 25);
    assert_int_equal(match_moves(p.match, &moves, &all), 4);
    assert_string_equal(all, "2,2 2,3; 3,5 3,4; 2,3 2,4; pass");
    assert_string_equal(match_move_text(p.match, 0, text), "2,2 2,3");
    assert_string_equal(match_move_text(p.match, 2, text), "2,3 2,4");
    assert_string_equal(match_move_text(p.match, 3, text), "pass");
    assert_true(moves[0].by_referee && moves[1].by_referee && !moves[2].by_referee);
    assert_int_equal(moves[2].us, 10);
    assert_int_equal(moves[2].cpu_us, -1);
    assert_true(moves[3].by_referee);
    assert_int_equal(moves[3].us, 5);
    char position[STATE_TEXT_MAX];
    game_find("hopchess")->write_state(match_state(p.match), position);
    assert_non_null(strstr(position, " 4"));
    match_abort(p.match, "enough");
    drain(&p, 30);
    assert_true(match_is_over(p.match));
    assert_int_equal(match_awaits(p.match), 0);
    assert_int_equal(match_winner(p.match), 0);
    assert_string_equal(match_reason(p.match), "aborted");
    assert_int_equal(match_faults(p.match, &faults), 1);
    assert_ptr_equal(match_verdict(p.match), &faults[0]);
    assert_int_equal(faults[0].ply, 3);
    end(&p);
}

static void test_cpu_time(void **state) {
    (void)state;
    struct play p;
    struct action a;
    const struct match_move *moves;
    const char *all;
    begin(&p, "reversi", &wire_stcp);
    p.match = match_new(&p.config, &p.wire[0], &p.wire[1]);
    match_start(p.match, 0);
    match_joined(p.match, 1, 0);
    match_joined(p.match, 2, 0);
    while (match_next(p.match, &a))
        if (a.kind == ACTION_SEND)
            match_sent(p.match, a.player, 100, 40);
    match_bytes(p.match, 1, "\1\0\0\0\1\0\0\0\3\0\0\0\3\0\0\0", 16, 1100, 900);
    assert_int_equal(match_moves(p.match, &moves, &all), 1);
    assert_int_equal(moves[0].us, 1000);
    assert_int_equal(moves[0].cpu_us, 860);
    end(&p);
}

// What came with a player's id is taken after the request was sent, but was read before.
static void test_answer_before_the_request(void **state) {
    (void)state;
    struct play p;
    const struct match_move *moves;
    const char *all;
    begin(&p, "reversi", &wire_stcp);
    start(&p, 1000);
    match_bytes(p.match, 1, "\1\0\0\0\1\0\0\0\3\0\0\0\3\0\0\0", 16, 900, -1);
    assert_int_equal(match_moves(p.match, &moves, &all), 1);
    assert_int_equal(moves[0].us, 0);
    end(&p);
}

// The clock of a turn does not begin with what is sent before the request.
static void test_clock_begins_with_the_request(void **state) {
    (void)state;
    struct play p;
    struct action a;
    begin(&p, "connect6", &wire_sixline);
    start(&p, 0);
    say(&p, 2, "OK\nTeamName:B,Department:B\n", 0);
    match_bytes(p.match, 1, "OK\nTeamName:A,Department:A\n", 27, 0, -1);
    int64_t now = 1000, asked = 0;
    while (match_next(p.match, &a)) {
        if (a.kind == ACTION_DEADLINE)
            p.deadline = a.at_us;
        if (a.kind != ACTION_SEND)
            continue;
        now += 1000; // each takes its time
        if (strncmp(a.bytes, "BEGIN", 5) == 0)
            asked = now;
        match_sent(p.match, a.player, now, -1);
    }
    assert_true(asked > 2000);
    assert_int_equal(p.deadline, asked + p.config.time_us);
    end(&p);
}

// A time told too early, or when nothing is asked, is told again; a second time it is true.
static void test_deadlines_at_odd_moments(void **state) {
    (void)state;
    const struct lateness none = {.woken_late_us = 0};
    struct play p;
    begin(&p, "reversi", &wire_stcp);
    p.match = match_new(&p.config, &p.wire[0], &p.wire[1]);
    match_start(p.match, 1000);
    drain(&p, 1000);
    match_deadline(p.match, &none, 500000, -1); // of the start, too early
    drain(&p, 500000);
    assert_int_equal(p.deadline, 1001000);
    assert_false(match_is_over(p.match));
    match_joined(p.match, 1, 600000);
    match_joined(p.match, 2, 600000);
    match_deadline(p.match, &none, 600000, -1); // asked, but not yet sent
    drain(&p, 600000);
    assert_int_equal(p.deadline, 5600000);
    match_deadline(p.match, &none, 5599999, -1); // of the turn, too early
    drain(&p, 5599999);
    assert_int_equal(p.deadline, 5600000);
    assert_int_equal(match_awaits(p.match), 1);
    match_deadline(p.match, &none, 5600000, 77);
    drain(&p, 5600000);
    assert_int_equal(match_awaits(p.match), 2);
    assert_non_null(strstr(match_verdict(p.match)->evidence, "CPU time not known"));
    match_sent(p.match, 1, 5600000, -1); // of a player who is not asked: nothing
    drain(&p, 5600000);
    assert_int_equal(p.deadline, 10600000);
    match_abort(p.match, NULL);
    drain(&p, 5700000);
    assert_int_equal(p.deadline, 0);
    match_deadline(p.match, &none, 99000000, -1);
    match_abort(p.match, NULL);
    drain(&p, 99000000);
    assert_int_equal(p.ends, 1);
    end(&p);
}

// Where there is no limit a time that is told all the same means nothing.
static void test_no_limit(void **state) {
    (void)state;
    const struct lateness none = {.woken_late_us = 0};
    struct play p;
    begin(&p, "reversi", &wire_abp);
    p.config.time_us = 0;
    start(&p, 0);
    say(&p, 1, "ready\n", 0);
    say(&p, 2, "ready\n", 0);
    assert_int_equal(p.deadline, 0);
    match_deadline(p.match, &none, 99000000, -1);
    drain(&p, 99000000);
    assert_int_equal(match_awaits(p.match), 1);
    match_sent(p.match, 1, 99000001, 5); // once more: the clock runs already
    say(&p, 1, "move id=1 3,3\n", 99000002);
    const struct match_move *moves;
    const char *all;
    assert_int_equal(match_moves(p.match, &moves, &all), 1);
    assert_int_equal(moves[0].us, 99000002);
    end(&p);
}

// A player alone on the board is asked again and again; if he has guessed the ids, all his answers
// may be there at once. White has lost all pieces in this opening.
static void test_many_turns_in_one_event(void **state) {
    (void)state;
    enum { TURNS = 190 };
    struct play p;
    struct buf said = {.data = NULL};
    begin(&p, "hopchess", &wire_abp);
    p.config.opening =
        "6,0 6,1; 7,7 6,7; 4,0 3,0; 6,7 4,7 4,5; 3,1 2,1; 3,7 3,6; 1,1 3,1 1,1; 1,7 2,7; 3,0 1,0; "
        "4,5 4,4; 6,1 4,1 4,3 4,5 4,7 6,7 6,5 4,5 2,5; 2,7 3,7; 2,5 2,7 4,7; 3,6 3,5; 2,2 2,3; "
        "3,5 2,5; 2,0 2,2 2,4 2,6";
    start(&p, 0);
    say(&p, 1, "ready\n", 0);
    say(&p, 2, "ready\n", 0);
    assert_int_equal(match_awaits(p.match), 1);
    for (int i = 1; i <= TURNS; i++)
        buf_format(&said, "move id=%d %s\n", i, i % 2 ? "0,0 0,1" : "0,1 0,0");
    p.sends = 0;
    say(&p, 1, said.data, 10);
    const struct match_move *moves;
    const char *all;
    assert_int_equal(match_moves(p.match, &moves, &all), 17 + TURNS);
    assert_int_equal(p.sends, TURNS);
    char wanted[60];
    snprintf(wanted, sizeof wanted, "go id=%d time=5000 due=1 player=1 used=0.000 | ", TURNS + 1);
    assert_int_equal(strncmp(p.last.data, wanted, strlen(wanted)), 0);
    buf_done(&said);
    end(&p);
}

// Nobody has to take the actions before the next event comes.
static void test_actions_wait(void **state) {
    (void)state;
    struct play p;
    struct action a;
    begin(&p, "tower4", &wire_abp);
    p.match = match_new(&p.config, &p.wire[0], &p.wire[1]);
    match_start(p.match, 0);
    match_joined(p.match, 1, 0);
    match_bytes(p.match, 1, "ready A\n", 8, 0, -1);
    match_joined(p.match, 2, 0);
    match_bytes(p.match, 2, "ready B\n", 8, 0, -1);
    match_abort(p.match, NULL);
    static const char *const wanted[] = {
        "abp 1 tower4\n", "abp 1 tower4\n", "go id=1 time=5000 due=1 player=1 |  | \n",
        "over winner=0 reason=aborted\n", "over winner=0 reason=aborted\n"};
    int n = 0;
    while (match_next(p.match, &a))
        if (a.kind == ACTION_SEND) {
            assert_int_equal(a.length, strlen(wanted[n]));
            assert_memory_equal(a.bytes, wanted[n], a.length);
            n++;
        }
    assert_int_equal(n, 5);
    assert_false(match_next(p.match, &a));
    end(&p);
}

static void test_words(void **state) {
    (void)state;
    assert_string_equal(verdict_word(VERDICT_NONE), "none");
    assert_string_equal(verdict_word(VERDICT_INVALID_TRANSFER), "invalid-transfer");
    assert_string_equal(verdict_word(VERDICT_REFUSED), "refused");
    assert_string_equal(cost_word(COST_LOSE), "lose");
    assert_string_equal(cost_word(COST_WAIT), "wait");
    assert_string_equal(fault_key_name(FAULT_ILLEGAL), "illegal");
    assert_string_equal(fault_key_name(FAULT_INVALID_TRANSFER), "invalid_transfer");
    assert_true(penalties_has("late") && penalties_has("gone"));
    assert_false(penalties_has("board") || penalties_has(""));
}

// The table of section F: what each key accepts in each game. `standard` comes first.
static void test_penalties(void **state) {
    (void)state;
    static const struct {
        const char *game, *key, *accepted;
    } cases[] = {
        {"reversi", "illegal", "first lose"},
        {"reversi", "late", "first lose"},
        {"reversi", "gone", "wait lose"},
        {"reversi", "invalid_transfer", "illegal lose"},
        {"tower4", "illegal", "first lose"},
        {"tower4", "late", "first lose"},
        {"tower4", "gone", "wait lose"},
        {"tower4", "invalid_transfer", "illegal lose"},
        {"hopchess", "illegal", "skip first lose"},
        {"hopchess", "late", "skip first lose"},
        {"hopchess", "gone", "wait lose"},
        {"hopchess", "invalid_transfer", "lose illegal"},
        {"connect6", "illegal", "lose"},
        {"connect6", "late", "lose"},
        {"connect6", "gone", "lose"},
        {"connect6", "invalid_transfer", "lose"},
        {"cuptactoe", "illegal", "lose"},
        {"cuptactoe", "late", "lose"},
        {"cuptactoe", "gone", "lose"},
        {"cuptactoe", "invalid_transfer", "lose"},
    };
    static const enum cost costs[] = {COST_LOSE, COST_FIRST, COST_SKIP, COST_WAIT, COST_ILLEGAL};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct game *game = game_find(cases[i].game);
        const enum fault_key key = (enum fault_key)(i % FAULT_KEYS);
        struct penalties p;
        penalties_init(&p, game);
        const char *standard = cost_word(p.cost[key]);
        assert_string_equal(fault_key_name(key), cases[i].key);
        assert_int_equal(strncmp(cases[i].accepted, standard, strlen(standard)), 0);
        for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
            struct err err = {.set = false};
            const char *word = cost_word(costs[k]);
            const bool accepted = strstr(cases[i].accepted, word) != NULL;
            const enum cost before = p.cost[key];
            assert_int_equal(penalties_set(&p, game, cases[i].key, word, &err), accepted);
            assert_int_equal(p.cost[key], accepted ? costs[k] : before);
            assert_true(accepted || (strstr(err.text, cases[i].key) && strstr(err.text, "lose") &&
                                     strstr(err.text, game->name)));
        }
    }
    struct err err = {.set = false};
    struct penalties p;
    penalties_init(&p, game_find("reversi"));
    assert_false(penalties_set(&p, game_find("reversi"), "size", "9", &err));
    assert_non_null(strstr(err.text, "'size'"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openings_that_cannot_be),
        cmocka_unit_test(test_rules_that_do_not_fit),
        cmocka_unit_test(test_what_it_tells_of_itself),
        cmocka_unit_test(test_cpu_time),
        cmocka_unit_test(test_answer_before_the_request),
        cmocka_unit_test(test_clock_begins_with_the_request),
        cmocka_unit_test(test_deadlines_at_odd_moments),
        cmocka_unit_test(test_no_limit),
        cmocka_unit_test(test_many_turns_in_one_event),
        cmocka_unit_test(test_actions_wait),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_penalties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
