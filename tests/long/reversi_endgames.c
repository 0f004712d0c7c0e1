// SPDX-License-Identifier: MIT
// The solver against brute force under the rules: random endgames of both boards.
#include "check.h"

#include "engine/reversi/end.h"
#include "engine/reversi/think.h"
#include "reversi.h"

enum { ENDGAMES = 4000, EMPTIES_MAX = 8, TT_BYTES = 1 << 16 };

// The value of the best move that was found is the value, and both are brute force's.
static void solve_whole(const struct ruleset *rules, const union game_state *state,
                        struct reversi_mind *mind, int value) {
    const struct board b = board_of_state(rules, state);
    const int mover = rules->game->turn(state);
    struct thought t;
    union game_state next = *state;
    reversi_think(mind, &b, UINT64_MAX, &(struct limits){0}, &t);
    assert_true(t.exact);
    assert_int_equal(t.value, value);
    assert_null(game_play(rules->game, &next, t.pv[0]));
    assert_int_equal(test_brute_force(rules->game, &next, mover), value);
}

// With windows on both sides of the value, each answer is a bound on the right side.
static void solve_windows(struct reversi_search *s, const struct board *b, int value) {
    for (int alpha = value - 3; alpha < value + 3; alpha++) {
        const int answer = end_solve(s, b, alpha);
        assert_int_equal(answer > alpha, value > alpha);
        assert_true(answer > alpha ? answer <= value : answer >= value);
    }
}

static void test_random_endgames(void **unused) {
    (void)unused;
    for (int k = 0; k < BOARD_KINDS; k++) {
        const struct ruleset rules = test_reversi(k);
        struct reversi_mind *mind = reversi_new(board_variant(&rules), false, 1);
        struct tt *tt = tt_new(TT_BYTES);
        struct stop stop;
        struct reversi_search s;
        struct rng rng = {1};
        stop_init(&stop, &(struct limits){0});
        search_init(&s, board_variant(&rules), tt, &stop);
        for (int i = 0; i < ENDGAMES; i++) {
            union game_state state;
            test_endgame(&rules, 1 + i % EMPTIES_MAX, &rng, &state);
            const struct board b = board_of_state(&rules, &state);
            const int value = test_brute_force(rules.game, &state, rules.game->turn(&state));
            solve_whole(&rules, &state, mind, value);
            solve_windows(&s, &b, value);
        }
        tt_free(tt);
        reversi_free(mind);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_endgames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
