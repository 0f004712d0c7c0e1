// SPDX-License-Identifier: MIT
// No disc that is called stable ever turns.
#include "check.h"

#include "engine/reversi/stable.h"
#include "reversi.h"

enum { ENDGAMES = 300, GAMES = 200, PLAYOUTS = 20 };

// The discs of both colours that are called stable: black's, then white's.
struct firm {
    uint64_t black, white;
};

static struct firm firm_discs(const struct ruleset *rules, const union game_state *state) {
    const struct variant *v = board_variant(rules);
    struct board b = board_of_state(rules, state);
    if (rules->game->turn(state) == 2)
        b = board_pass(&b);
    return (struct firm){stable_discs(b.own, b.other, v), stable_discs(b.other, b.own, v)};
}

static void assert_stands(const struct ruleset *rules, const union game_state *state,
                          struct firm firm) {
    struct board b = board_of_state(rules, state);
    if (rules->game->turn(state) == 2)
        b = board_pass(&b);
    assert_int_equal(firm.black & ~b.own, 0);
    assert_int_equal(firm.white & ~b.other, 0);
}

// Whatever is played from here.
static void try_everything(const struct ruleset *rules, const union game_state *state,
                           struct firm firm) {
    assert_stands(rules, state, firm);
    for (int i = 0; i < rules->game->count(state); i++) {
        union game_state next = *state;
        rules->game->apply(&next, rules->game->nth(state, i));
        try_everything(rules, &next, firm);
    }
}

static void test_in_all_endgames(void **unused) {
    (void)unused;
    for (int k = 0; k < BOARD_KINDS; k++) {
        const struct ruleset rules = test_reversi(k);
        struct rng rng = {3};
        for (int i = 0; i < ENDGAMES; i++) {
            union game_state state;
            test_endgame(&rules, 1 + i % 6, &rng, &state);
            try_everything(&rules, &state, firm_discs(&rules, &state));
        }
    }
}

static void test_in_random_games(void **unused) {
    (void)unused;
    int found = 0;
    for (int k = 0; k < BOARD_KINDS; k++) {
        const struct ruleset rules = test_reversi(k);
        struct rng rng = {4};
        union game_state state = {.align = 0}, at;
        for (int i = 0; i < GAMES * PLAYOUTS; i++) {
            if (i % PLAYOUTS == 0)
                test_endgame(&rules, 8 + i / PLAYOUTS % 30, &rng, &state);
            const struct firm firm = firm_discs(&rules, &state);
            found += bits_count(firm.black | firm.white);
            for (at = state; !game_is_over(rules.game, &at); assert_stands(&rules, &at, firm))
                test_random_move(rules.game, &at, &rng);
        }
    }
    assert_true(found > GAMES * PLAYOUTS); // else this shows nothing
}

// A row of discs along an edge of the open board, from end to end: it cannot turn, and neither can
// a disc at the end of an edge.
static void test_open_edges(void **unused) {
    (void)unused;
    const struct variant *v = &variants[BOARD_OPEN];
    assert_int_equal(stable_discs(0x7e, 0, v), 0x7e);
    assert_int_equal(stable_discs(0x02, 0, v), 0x02);
    assert_int_equal(stable_discs(0x02, 0x04, v), 0x02);
    assert_int_equal(stable_discs(0x04, 0, v), 0);
    assert_int_equal(stable_discs(UINT64_C(0x100), 0, v), UINT64_C(0x100));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_all_endgames),
        cmocka_unit_test(test_in_random_games),
        cmocka_unit_test(test_open_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
