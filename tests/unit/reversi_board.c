// SPDX-License-Identifier: MIT
// The engine's board against the rules: random games on both boards.
#include "check.h"

#include "reversi.h"

enum { GAMES = 300 };

static void assert_same(struct board a, struct board b) {
    assert_int_equal(a.own, b.own);
    assert_int_equal(a.other, b.other);
}

static uint64_t legal_of(const struct game *game, const void *state) {
    uint64_t legal = 0;
    for (int i = 0; i < game->count(state); i++)
        legal |= bit((int)game->nth(state, i));
    return legal;
}

// Plays one move by both, and sees that they stay together.
static void step(const struct ruleset *rules, union game_state *state, struct rng *rng) {
    const struct game *game = rules->game;
    const struct variant *v = board_variant(rules);
    const struct board b = board_of_state(rules, state);
    assert_int_equal(board_moves(&b, v), legal_of(game, state));
    const int player = game->turn(state);
    const move m = game->nth(state, (int)rng_below(rng, (uint32_t)game->count(state)));
    struct board next = board_play(&b, (int)m, board_flips(&b, (int)m));
    game->apply(state, m);
    if (game->turn(state) == player || (game_is_over(game, state) && player == 1)) {
        if (!game_is_over(game, state))
            assert_int_equal(board_moves(&next, v), 0);
        next = board_pass(&next);
    }
    assert_same(next, board_of_state(rules, state));
}

static void test_follows_the_rules(void **unused) {
    (void)unused;
    for (int k = 0; k < BOARD_KINDS; k++) {
        const struct ruleset rules = test_reversi(k);
        struct rng rng = {1};
        for (int i = 0; i < GAMES; i++) {
            union game_state state;
            char why[WHY_TEXT_MAX];
            assert_true(rules.game->start(&state, &rules, NULL, why));
            assert_same(board_variant(&rules)->start, board_of_state(&rules, &state));
            while (!game_is_over(rules.game, &state))
                step(&rules, &state, &rng);
            const struct board b = board_of_state(&rules, &state), passed = board_pass(&b);
            assert_int_equal(board_moves(&b, board_variant(&rules)), 0);
            assert_int_equal(board_moves(&passed, board_variant(&rules)), 0);
        }
    }
}

// The count of what turns on the last square, against the rules.
static void test_counts_the_last_square(void **unused) {
    (void)unused;
    for (int k = 0; k < BOARD_KINDS; k++) {
        const struct ruleset rules = test_reversi(k);
        const struct variant *v = board_variant(&rules);
        struct rng rng = {2};
        for (int i = 0; i < GAMES; i++) {
            union game_state state;
            test_endgame(&rules, 1, &rng, &state);
            const struct board b = board_of_state(&rules, &state);
            const int x = bits_first(board_empty(&b, v));
            const int turned = lines_count_last(b.own, x);
            test_random_move(rules.game, &state, &rng);
            struct board end = board_of_state(&rules, &state);
            const bool same_side = (end.own & b.own) == b.own;
            assert_int_equal(bits_count(same_side ? end.own : end.other),
                             bits_count(b.own) + turned + 1);
        }
    }
}

static void test_keys_differ(void **unused) {
    (void)unused;
    const struct board start = variants[BOARD_OTHELLO].start, passed = board_pass(&start);
    assert_int_not_equal(board_hash(&start), board_hash(&passed));
    for (int i = 0; i < 64; i++) {
        struct board changed = start;
        changed.own ^= bit(i);
        assert_int_not_equal(board_hash(&start), board_hash(&changed));
        changed.other ^= bit(i);
        assert_int_not_equal(board_hash(&start), board_hash(&changed));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_the_rules),
        cmocka_unit_test(test_counts_the_last_square),
        cmocka_unit_test(test_keys_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
