// SPDX-License-Identifier: MIT
// What is drawn at random: within its bounds, and the same again from the same seed.
#include "referee/conditions.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

static void test_times(void **state) {
    (void)state;
    struct conditions c;
    conditions_init(&c, game_find("connect6"));
    int seen[8] = {0};
    for (int i = 0; i < 600; i++) {
        struct rng rng = conditions_rng(1, i);
        const int64_t us = conditions_draw_time(&c, &rng);
        assert_int_equal(us % 1000000, 0);
        assert_in_range(us / 1000000, 2, 7);
        seen[us / 1000000]++;
    }
    for (int s = 2; s <= 7; s++)
        assert_in_range(seen[s], 60, 140);
    conditions_init(&c, game_find("reversi"));
    struct rng rng = {1};
    assert_int_equal(conditions_draw_time(&c, &rng), 5000000);
}

static void test_time_texts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
        int64_t low, high;
    } cases[] = {
        {"5", true, 5000000, 5000000},
        {"0.2", true, 200000, 200000},
        {"2..7", true, 2000000, 7000000},
        {"off", true, 0, 0},
        {"0", false, 0, 0},
        {"-1", false, 0, 0},
        {"x", false, 0, 0},
        {"7..2", false, 0, 0},
        {"2..", false, 0, 0},
        {"5s", false, 0, 0},
        {"", false, 0, 0},
        {"nan", false, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct conditions c = {.time_low_us = -1};
        struct err err = {.set = false};
        if (conditions_time(&c, cases[i].text, &err) != cases[i].good)
            fail_msg("%s", cases[i].text);
        if (cases[i].good)
            assert_true(c.time_low_us == cases[i].low && c.time_high_us == cases[i].high);
        else
            assert_true(err.set);
    }
}

// Even, at most ten, never the same cell: the rules check all of that when a game starts.
static void test_blocks(void **state) {
    (void)state;
    const struct game *game = game_find("connect6");
    struct conditions c;
    struct err err = {.set = false};
    conditions_init(&c, game);
    assert_true(c.random_blocks);
    int with[6] = {0};
    for (int i = 0; i < 1000; i++) {
        struct ruleset rules, again;
        union game_state at;
        char why[WHY_TEXT_MAX];
        struct rng rng = conditions_rng(7, i), same = rng;
        ruleset_init(&rules, game);
        ruleset_init(&again, game);
        conditions_draw_blocks(&c, &rules, &rng);
        conditions_draw_blocks(&c, &again, &same);
        assert_string_equal(rules.text[1], again.text[1]);
        if (!game->start(&at, &rules, NULL, why))
            fail_msg("%s: %s", rules.text[1], why);
        with[(361 - game->count(&at)) / 2]++;
    }
    for (int i = 0; i < 6; i++)
        assert_in_range(with[i], 110, 230);
    assert_true(conditions_blocks(&c, "random:4", &err));
    assert_int_equal(c.blocks, 4);
    assert_false(conditions_blocks(&c, "1,1 2,2", &err));
    assert_false(err.set);
    static const char *const bad[] = {"random:3", "random:12", "random:", "random:x", "randomly"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err.set = false;
        assert_false(conditions_blocks(&c, bad[i], &err));
        assert_true(err.set);
    }
}

static void test_openings(void **state) {
    (void)state;
    for (int i = 0; i < game_count; i++)
        for (int number = 0; number < 20; number++) {
            struct conditions c;
            struct ruleset rules;
            union game_state at;
            char why[WHY_TEXT_MAX], *bad;
            int ply;
            conditions_init(&c, games[i]);
            c.opening_plies = 5;
            ruleset_init(&rules, games[i]);
            struct rng rng = conditions_rng(3, number);
            char *opening = conditions_draw_opening(&c, &rules, &rng);
            assert_true(games[i]->start(&at, &rules, NULL, why));
            assert_null(game_play_line(games[i], &at, opening, &ply, &bad));
            assert_int_equal(ply, 5);
            assert_false(game_is_over(games[i], &at));
            free(opening);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_time_texts),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_openings),
    };
    return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
