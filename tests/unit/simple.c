// SPDX-License-Identifier: MIT
#include "engine/simple.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static int play(const struct game *game, struct rng *rng, int greedy_seat) {
    struct ruleset rules;
    union game_state state;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, game);
    assert_true(game->start(&state, &rules, NULL, why));
    while (!game_is_over(game, &state)) {
        const bool greedy = game->turn(&state) == greedy_seat;
        const move m = greedy ? simple_greedy(game, &state, rng) : simple_random(game, &state, rng);
        assert_null(game_play(game, &state, m));
    }
    return game->outcome(&state).winner;
}

// Looking one move ahead beats chance in every game but connect6, where it rarely sees anything.
static void test_greedy_beats_random(void **state) {
    (void)state;
    for (int i = 0; i < game_count(); i++) {
        struct rng rng = {7};
        int won = 0, lost = 0;
        for (int k = 0; k < 20; k++) {
            const int seat = k % 2 + 1, winner = play(game_nth(i), &rng, seat);
            won += winner == seat;
            lost += winner == 3 - seat;
        }
        if (strcmp(game_nth(i)->name, "connect6") != 0 && won < 2 * lost)
            fail_msg("%s: won %d, lost %d", game_nth(i)->name, won, lost);
    }
}

static void test_takes_the_win(void **state) {
    (void)state;
    const struct game *game = game_find("cuptactoe");
    struct ruleset rules;
    union game_state at;
    char why[WHY_TEXT_MAX], text[MOVE_TEXT_MAX];
    struct rng rng = {1};
    ruleset_init(&rules, game);
    assert_true(game->start(&at, &rules, "X3 X3 ./O3 O3 ./. . . 4", why));
    game->write_move(&at, simple_greedy(game, &at, &rng), text);
    assert_int_equal(text[2], '2');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greedy_beats_random),
        cmocka_unit_test(test_takes_the_win),
    };
    return cmocka_run_group_tests_name("simple", tests, NULL, NULL);
}
