// SPDX-License-Identifier: MIT
// The player's side of stcp: messages read and written, and games followed by their boards alone.
#include "cli/bot/follow.h"

#include "base/rng.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *game, *key, *value;
} rulesets[] = {
    {"reversi", "board", "open"}, {"reversi", "board", "othello"}, {"tower4", "corners", "3"},
    {"tower4", "corners", "1"},   {"hopchess", "max_hops", "99"},
};

enum { RULESETS = sizeof rulesets / sizeof *rulesets };

static struct ruleset rules_of(int i) {
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, game_find(rulesets[i].game));
    assert_true(ruleset_set(&rules, rulesets[i].key, rulesets[i].value, why));
    return rules;
}

static void start(const struct ruleset *rules, union game_state *state) {
    char why[WHY_TEXT_MAX];
    memset(state, 0, sizeof *state);
    assert_true(rules->game->start(state, rules, NULL, why));
}

static move draw_move(const struct game *game, const union game_state *state, struct rng *rng) {
    return game->nth(state, (int)rng_below(rng, (uint32_t)game->count(state)));
}

// What the judge sends, through the wire, and what the player reads of it.
static struct stcp_board board_of(const struct ruleset *rules, const union game_state *state) {
    struct wire w;
    struct buf out = {.data = NULL};
    struct stcp_board board = {.is_stop = true};
    wire_init(&w, &wire_stcp);
    wire_begin(&w, rules, rules->game->turn(state), 0, &out);
    wire_ask(&w, &(struct wire_request){.state = state, .due = 1, .moves = "", .last = ""}, &out);
    for (size_t length = 0; length < out.length; length++)
        assert_int_equal(stcp_read_board(rules->game, out.data, length, &board), 0);
    assert_int_equal(stcp_read_board(rules->game, out.data, out.length, &board), out.length);
    assert_false(board.is_stop);
    assert_int_equal(board.id, w.id);
    assert_int_equal(board.is_black, rules->game->turn(state) == 1);
    buf_done(&out);
    wire_done(&w);
    return board;
}

static void check_same(const struct game *game, const union game_state *a,
                       const union game_state *b) {
    char text[2][STATE_TEXT_MAX];
    game->write_state(a, text[0]);
    game->write_state(b, text[1]);
    assert_string_equal(text[0], text[1]);
}

// What can happen to the answer of the one who follows; mostly it is played.
enum fate { FATE_FIRST, FATE_SKIPPED, FATE_ASKED_TWICE, PLAIN, FATES = 8 };

// After a move that changes the board, else it would look like one that is sent again.
static union game_state answer_to(const struct game *game, const union game_state *state,
                                  struct rng *rng) {
    int before[STCP_CELLS_MAX], after[STCP_CELLS_MAX];
    const size_t size = (size_t)stcp_cell_count(game) * sizeof *before;
    union game_state next;
    stcp_cells(game, state, before);
    do {
        next = *state;
        game->apply(&next, draw_move(game, state, rng));
        stcp_cells(game, &next, after);
    } while (memcmp(before, after, size) == 0);
    return next;
}

// A whole game, `me` followed by its boards; returns how often it was asked.
static int follow_game(struct bot_follower *f, const struct ruleset *rules, int me,
                       struct rng *rng) {
    const struct game *game = rules->game;
    union game_state state, seen;
    enum fate fate = PLAIN;
    int asked = 0;
    start(rules, &state);
    while (!game_is_over(game, &state)) {
        if (game->turn(&state) != me) {
            // If both turns were skipped, the board would look like one that is sent again.
            const bool skip = game->may_pass && fate >= PLAIN && rng_below(rng, 10) == 0;
            if (skip)
                game->apply(&state, MOVE_PASS);
            else
                state = answer_to(game, &state, rng);
            continue;
        }
        const struct stcp_board board = board_of(rules, &state);
        fate = (enum fate)rng_below(rng, FATES);
        for (int times = 0; times <= (fate == FATE_ASKED_TWICE); times++) {
            assert_true(bot_follow_board(f, &board, &seen));
            check_same(game, &seen, &state);
            asked++;
            seen = answer_to(game, &state, rng);
            bot_follow_answer(f, &seen);
        }
        if (fate == FATE_FIRST || (fate == FATE_SKIPPED && game->may_pass))
            game->apply(&state, fate == FATE_FIRST ? game->nth(&state, 0) : MOVE_PASS);
        else
            state = seen;
    }
    return asked;
}

static void test_games_are_followed(void **state) {
    (void)state;
    struct rng rng = {.state = 1};
    for (int i = 0; i < RULESETS; i++) {
        const struct ruleset rules = rules_of(i);
        struct bot_follower f;
        bot_follow_init(&f, rules.game);
        int asked = 0;
        for (int played = 0; played < 10; played++) // one connection for all
            asked += follow_game(&f, &rules, 1 + (played / 2) % 2, &rng);
        assert_true(asked > 200);
    }
}

// Out of the blue, as after an opening: what the board shows is right.
static void test_any_board(void **state) {
    (void)state;
    struct rng rng = {.state = 2};
    for (int i = 0; i < RULESETS * 20; i++) {
        const struct ruleset rules = rules_of(i % RULESETS);
        const struct game *game = rules.game;
        union game_state position, seen;
        struct bot_follower f;
        char text[STATE_TEXT_MAX];
        int cells[STCP_CELLS_MAX];
        start(&rules, &position);
        for (uint32_t n = 3 + rng_below(&rng, 55); n > 0 && !game_is_over(game, &position); n--)
            game->apply(&position, draw_move(game, &position, &rng));
        if (game_is_over(game, &position))
            continue;
        const struct stcp_board board = board_of(&rules, &position);
        bot_follow_init(&f, game);
        if (!bot_follow_board(&f, &board, &seen)) {
            game->write_state(&position, text);
            fail_msg("%s: %s", game->name, text);
        }
        assert_int_equal(game->turn(&seen), game->turn(&position));
        assert_string_equal(f.rules.text[0], rules.text[0]);
        stcp_cells(game, &seen, cells);
        for (int k = 0; k < stcp_cell_count(game); k++)
            assert_int_equal(cells[k], board.cells[k]);
    }
}

// A judge that plays on when the game should be over, and boards that are none.
static void test_odd_boards(void **state) {
    (void)state;
    struct ruleset rules = rules_of(2);
    const struct game *game = rules.game;
    union game_state position, seen;
    struct bot_follower f;
    struct rng rng = {.state = 3};
    char why[WHY_TEXT_MAX];
    assert_true(ruleset_set(&rules, "pieces", "100", why));
    start(&rules, &position);
    for (int n = 0; n < 80; n++)
        game->apply(&position, draw_move(game, &position, &rng));
    struct stcp_board board = board_of(&rules, &position);
    bot_follow_init(&f, game);
    assert_true(bot_follow_board(&f, &board, &seen));
    board.is_black = !board.is_black;
    assert_false(bot_follow_board(&f, &board, &seen));
    board.cells[100] = 7;
    board.is_black = !board.is_black;
    board.cells[14] = 0; // a piece that floats
    board.cells[50] = 1;
    bot_follow_board(&f, &board, &seen);
}

static void test_steps(void **state) {
    (void)state;
    static const struct {
        const char *path;
        size_t length;
        const char *bytes;
    } cases[] = {
        {"", 8, "\0\0\0\0\7\0\0\0"},
        {"5,2", 16, "\1\0\0\0\7\0\0\0\5\0\0\0\2\0\0\0"},
        {"1,0 1,2 3,2", 32, "\3\0\0\0\7\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\2\0\0\0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out = {.data = NULL};
        stcp_write_step(&out, 7, cases[i].path);
        assert_int_equal(out.length, cases[i].length);
        assert_memory_equal(out.data, cases[i].bytes, cases[i].length);
        buf_done(&out);
    }
}

static void test_team_and_stop(void **state) {
    (void)state;
    struct buf out = {.data = NULL};
    struct stcp_board board;
    int32_t team;
    stcp_write_team(&out, -2);
    assert_int_equal(out.length, 4);
    assert_true(stcp_read_team(out.data, out.length, &team));
    assert_int_equal(team, -2);
    buf_clear(&out);
    stcp_write_stop(&out);
    assert_int_equal(stcp_read_board(game_find("tower4"), out.data, 7, &board), 0);
    assert_int_equal(stcp_read_board(game_find("tower4"), out.data, out.length, &board), 8);
    assert_true(board.is_stop);
    buf_done(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_are_followed), cmocka_unit_test(test_any_board),
        cmocka_unit_test(test_odd_boards),         cmocka_unit_test(test_steps),
        cmocka_unit_test(test_team_and_stop),
    };
    return cmocka_run_group_tests_name("follow", tests, NULL, NULL);
}
