// SPDX-License-Identifier: MIT
// The search of Cup-Tac-Toe, without the table: its values against plain searches, and its play.
#include "base/rng.h"
#include "engine/engine.h"
#include "engine/simple.h"
#include "games/cuptactoe.h"
#include "games/registry.h"
#include "naive/naive.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct limits no_limits = {.nodes = 0};

static struct ruleset rules_of(int max_turns) {
    struct ruleset rules;
    char text[16], why[WHY_TEXT_MAX];
    ruleset_init(&rules, &game_cuptactoe);
    snprintf(text, sizeof text, "%d", max_turns);
    assert_true(ruleset_set(&rules, "max_turns", text, why));
    return rules;
}

static struct brain *brain_for(int max_turns, int threads) {
    const struct ruleset rules = rules_of(max_turns);
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, threads, 1);
    assert_non_null(brain);
    return brain;
}

static void start_game(struct cups *state, int max_turns) {
    const struct ruleset rules = rules_of(max_turns);
    char why[WHY_TEXT_MAX];
    assert_true(game_cuptactoe.start(state, &rules, NULL, why));
}

static void play(struct cups *state, const char *line) {
    char copy[256], *bad;
    int ply;
    snprintf(copy, sizeof copy, "%s", line);
    assert_null(game_play_line(&game_cuptactoe, state, copy, &ply, &bad));
}

// A win sooner is better, a loss later.
static int better(int a, int b) {
    const int worth_a = a > 0 ? 1000 - a : -1000 - a, worth_b = b > 0 ? 1000 - b : -1000 - b;
    return worth_a > worth_b ? a : b;
}

// The value one ply earlier, for the other player.
static int earlier(int value) { return value > 0 ? -value - 1 : -value + 1; }

// Plays on to the end of all games, with the product's rules.
static int plain_value(const struct cups *state) {
    move moves[64];
    const int count = game_cuptactoe.moves(state, moves), mover = game_cuptactoe.turn(state);
    int best = 0;
    for (int i = 0; i < count; i++) {
        struct cups next = *state;
        game_cuptactoe.apply(&next, moves[i]);
        const struct outcome end = game_cuptactoe.outcome(&next);
        const int value = end.ending == ENDING_RUNNING ? earlier(plain_value(&next))
                          : end.winner == mover        ? 1
                                                       : -1;
        best = i == 0 ? value : better(value, best);
    }
    return best;
}

// The same with the naive rules.
static int naive_value(struct naive *n) {
    char(*moves)[NAIVE_MOVE_MAX];
    const int count = naive_legal(n, &moves), mover = naive_turn(n);
    int best = 0;
    for (int i = 0; i < count; i++) {
        struct naive *next = naive_copy(n);
        assert_true(naive_play(next, moves[i]));
        const int value = naive_turn(next)              ? earlier(naive_value(next))
                          : naive_winner(next) == mover ? 1
                                                        : -1;
        best = i == 0 ? value : better(value, best);
        naive_free(next);
    }
    return best;
}

// Plays at random until so many turns are left. False if the game ended before.
static bool play_until(struct cups *state, struct rng *rng, int left, struct naive *n) {
    while (state->max_turns - state->turns > left && state->ending == ENDING_RUNNING) {
        char text[MOVE_TEXT_MAX];
        const move m = simple_random(&game_cuptactoe, state, rng);
        game_cuptactoe.write_move(state, m, text);
        game_cuptactoe.apply(state, m);
        if (n)
            assert_true(naive_play(n, text));
    }
    return state->ending == ENDING_RUNNING;
}

static void check_value(struct brain *brain, const struct cups *state, int right) {
    struct thought t;
    char text[STATE_TEXT_MAX];
    brain_think(brain, state, &no_limits, &t);
    game_cuptactoe.write_state(state, text);
    if (!t.exact || t.value != right)
        fail_msg("%s of %d turns: value %d, exact %d, right is %d", text, state->max_turns, t.value,
                 t.exact, right);
}

// With few turns left, in games of all lengths. The turns left are what the plain search can do.
static void check_against_plain(int left, int positions) {
    struct rng rng = {(uint64_t)left};
    while (positions > 0) {
        const int max_turns = left + (int)rng_below(&rng, 26);
        struct cups state;
        start_game(&state, max_turns);
        if (!play_until(&state, &rng, left, NULL))
            continue;
        struct brain *brain = brain_for(max_turns, 1);
        check_value(brain, &state, plain_value(&state));
        brain_free(brain);
        positions--;
    }
}

static void test_plain_search(void **unused) {
    (void)unused;
    check_against_plain(1, 200);
    check_against_plain(2, 200);
    check_against_plain(3, 200);
    check_against_plain(4, 20);
}

static void test_naive_search(void **unused) {
    (void)unused;
    struct rng rng = {5};
    for (int positions = 0; positions < 40;) {
        const int left = 1 + positions % 2 + (positions % 20 == 0);
        const int max_turns = left + 4 + (int)rng_below(&rng, 20);
        char setting[32];
        snprintf(setting, sizeof setting, "max_turns=%d", max_turns);
        struct naive *n = naive_new("cuptactoe", (const char *const[]){setting, NULL});
        struct cups state;
        start_game(&state, max_turns);
        if (play_until(&state, &rng, left, n)) {
            struct brain *brain = brain_for(max_turns, 1);
            check_value(brain, &state, naive_value(n));
            brain_free(brain);
            positions++;
        }
        naive_free(n);
    }
}

static void test_limit_changes_nothing_before_it(void **unused) {
    (void)unused;
    struct brain *brain = brain_for(30, 1);
    struct cups state;
    for (int turns = 0; turns <= 16; turns += 2) {
        start_game(&state, 30);
        state.turns = (uint8_t)turns;
        check_value(brain, &state, 13); // 14 turns left are enough
    }
    // One turn less than the win takes: the second player holds out to the end.
    state.turns = 18;
    check_value(brain, &state, -12);
    brain_free(brain);
}

// What rules.md knows of the first move.
static void test_openings(void **unused) {
    (void)unused;
    static const struct {
        int value;
        const char *moves;
    } openings[] = {
        {13, "3 0;3 2;3 6;3 8;3 4;1 1;1 3;1 5;1 7"},
        {15, "3 1;3 3;3 5;3 7;1 0;1 2;1 6;1 8;1 4"},
    };
    struct brain *brain = brain_for(30, 1);
    struct cups state;
    struct thought t;
    start_game(&state, 30);
    int seen = 0;
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        char copy[64], *rest = copy;
        snprintf(copy, sizeof copy, "%s", openings[i].moves);
        for (char *text; (text = strsep(&rest, ";")); seen++) {
            move m;
            assert_null(game_cuptactoe.read_move(&state, text, &m));
            brain_weigh(brain, &state, m, &no_limits, &t);
            assert_true(t.exact);
            assert_int_equal(t.value, openings[i].value);
            assert_int_equal(t.pv[0], m);
        }
    }
    for (move m = CUPS_CELLS; m < 2 * CUPS_CELLS; m++, seen++) { // medium cups
        brain_weigh(brain, &state, m, &no_limits, &t);
        assert_true(t.exact && t.value < 0);
    }
    assert_int_equal(seen, game_cuptactoe.count(&state));
    brain_free(brain);
}

// The line that is expected ends when the value says, and as it says.
static void check_line(const struct cups *from, const struct thought *t) {
    struct cups state = *from;
    const int mover = game_cuptactoe.turn(&state);
    for (int i = 0; i < t->length; i++)
        assert_null(game_play(&game_cuptactoe, &state, t->pv[i]));
    if (state.ending == ENDING_RUNNING) { // by the limit: told in part
        assert_int_equal(abs(t->value), from->max_turns - from->turns);
        return;
    }
    assert_int_equal(t->length, abs(t->value));
    assert_int_equal(state.winner == mover, t->value > 0);
}

static void test_lines(void **unused) {
    (void)unused;
    struct brain *brain = brain_for(30, 1);
    struct rng rng = {11};
    for (int positions = 0; positions < 60;) {
        struct cups state;
        struct thought t;
        start_game(&state, 30);
        if (!play_until(&state, &rng, 30 - (int)rng_below(&rng, 30), NULL))
            continue;
        brain_think(brain, &state, &no_limits, &t);
        assert_true(t.exact);
        check_line(&state, &t);
        positions++;
    }
    brain_free(brain);
}

// Wins within the plies it has claimed, against an opponent who plays as he likes.
static int play_out(struct brain *brain, int seat, struct rng *rng, int random_percent) {
    struct cups state;
    int claimed = 0;
    start_game(&state, 30);
    while (state.ending == ENDING_RUNNING) {
        const bool own = game_cuptactoe.turn(&state) == seat;
        const bool random = !own && (int)rng_below(rng, 100) < random_percent;
        struct thought t = {.length = 0};
        if (!random)
            brain_think(brain, &state, &no_limits, &t);
        if (own) {
            assert_true(t.exact);
            assert_true(claimed == 0 || better(t.value, claimed) == t.value);
            claimed = t.value > 2 ? t.value - 2 : t.value > 0 ? t.value : 0;
        }
        const move m = random ? simple_random(&game_cuptactoe, &state, rng) : t.pv[0];
        assert_null(game_play(&game_cuptactoe, &state, m));
    }
    assert_true(claimed == 0 || state.winner == seat);
    return state.winner == seat ? state.turns : 0;
}

static void test_first_player_always_wins(void **unused) {
    (void)unused;
    struct brain *brain = brain_for(30, 1);
    struct rng rng = {17};
    for (int percent = 0; percent <= 100; percent += 20)
        for (int n = 0; n < 10; n++) {
            const int turns = play_out(brain, 1, &rng, percent);
            assert_true(turns > 0 && turns <= 13);
        }
    brain_free(brain);
}

// As second player it loses to perfect play in 13, and punishes what is not perfect.
static void test_second_player(void **unused) {
    (void)unused;
    struct brain *brain = brain_for(30, 1);
    struct rng rng = {19};
    int won = 0;
    assert_int_equal(play_out(brain, 2, &rng, 0), 0);
    for (int n = 0; n < 50; n++)
        won += play_out(brain, 2, &rng, 50) > 0;
    assert_true(won >= 30);
    brain_free(brain);
}

static void test_positions_that_are_nearly_over(void **unused) {
    (void)unused;
    static const struct {
        const char *position;
        int value;
    } cases[] = {
        {"X3 X3 ./O3 O3 ./. . . 4", 1},
        {"O1 O1 X3O2/. X1 ./. . X1 6", 1}, // not by lifting the large cup
        {". . ./. . ./. . . 29", 1},       // the last turn is the second player's
        {". . ./. . ./. . . 28", -2},
    };
    struct brain *brain = brain_for(30, 1);
    const struct ruleset rules = rules_of(30);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cups state;
        char why[WHY_TEXT_MAX];
        assert_true(game_cuptactoe.start(&state, &rules, cases[i].position, why));
        check_value(brain, &state, cases[i].value);
    }
    brain_free(brain);
}

// With a limit of nodes the answer depends on nothing else, and is a legal move.
static void test_nodes(void **unused) {
    (void)unused;
    struct brain *one = brain_for(30, 1), *two = brain_for(30, 1);
    for (uint64_t nodes = 1; nodes < 20000; nodes = 3 * nodes) {
        const struct limits limits = {.nodes = nodes};
        struct cups state;
        struct thought a, b;
        start_game(&state, 30);
        play(&state, "3 0;3 4");
        brain_think(two, &state, &no_limits, &b); // knows all of it, and must forget
        brain_think(one, &state, &limits, &a);
        brain_think(two, &state, &limits, &b);
        assert_null(game_cuptactoe.illegal(&state, a.pv[0]));
        assert_int_equal(a.pv[0], b.pv[0]);
        assert_int_equal(a.value, b.value);
        assert_int_equal(a.nodes, b.nodes);
        assert_true(a.exact || a.nodes <= nodes + 100); // the first depth runs to its end
    }
    brain_free(two);
    brain_free(one);
}

// What a limited search has seen it uses: a win at once, and no loss at once.
static void test_few_nodes_see_the_next_move(void **unused) {
    (void)unused;
    const struct limits limits = {.nodes = 1};
    struct brain *brain = brain_for(30, 1);
    struct cups state;
    struct thought t;
    start_game(&state, 30);
    play(&state, "3 0;1 8;3 1;1 7");
    brain_think(brain, &state, &limits, &t);
    assert_int_equal(t.value, 1);
    start_game(&state, 30);
    play(&state, "1 0;3 4;1 1;3 3");
    brain_think(brain, &state, &limits, &t);
    assert_null(game_play(&game_cuptactoe, &state, t.pv[0]));
    brain_think(brain, &state, &no_limits, &t);
    assert_int_not_equal(t.value, 1);
    brain_free(brain);
}

static void test_threads(void **unused) {
    (void)unused;
    struct brain *brain = brain_for(30, 2);
    struct cups state;
    start_game(&state, 30);
    check_value(brain, &state, 13);
    play(&state, "2 4");
    check_value(brain, &state, 11);
    brain_free(brain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_search),
        cmocka_unit_test(test_naive_search),
        cmocka_unit_test(test_limit_changes_nothing_before_it),
        cmocka_unit_test(test_openings),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_first_player_always_wins),
        cmocka_unit_test(test_second_player),
        cmocka_unit_test(test_positions_that_are_nearly_over),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_few_nodes_see_the_next_move),
        cmocka_unit_test(test_threads),
    };
    setenv("XDG_DATA_HOME", "/nowhere", 1); // no table
    return cmocka_run_group_tests_name("cuptactoe_search", tests, NULL, NULL);
}
