// SPDX-License-Identifier: MIT
// What is drawn at random: within its bounds, and the same again from the same seed.
#include "referee/conditions.h"

#include "check.h"

#include <stdio.h>
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

// Where an end is not whole, milliseconds are drawn, from one end to the other.
static void test_fine_times(void **state) {
    (void)state;
    struct conditions c;
    struct err err = {.set = false};
    assert_true(conditions_time(&c, "0.1..0.9", &err));
    int tenths[10] = {0}, fine = 0;
    for (int i = 0; i < 800; i++) {
        struct rng rng = conditions_rng(1, i);
        const int64_t us = conditions_draw_time(&c, &rng);
        assert_int_equal(us % 1000, 0);
        assert_in_range(us, 100000, 900000);
        tenths[us / 100000]++;
        fine += us % 100000 != 0;
    }
    for (int i = 1; i < 9; i++)
        assert_in_range(tenths[i], 60, 140);
    assert_true(fine > 700);
    assert_true(conditions_time(&c, "2..2.001", &err));
    bool low = false, high = false;
    for (int i = 0; i < 50; i++) {
        struct rng rng = conditions_rng(2, i);
        const int64_t us = conditions_draw_time(&c, &rng);
        assert_in_range(us, 2000000, 2001000);
        low |= us == 2000000;
        high |= us == 2001000;
    }
    assert_true(low && high);
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
        {"0x10", false, 0, 0},
        {"1..0x3", false, 0, 0},
        {"1e1", true, 10000000, 10000000},
        {"0.1..0.9", true, 100000, 900000},
        {"2.000000000000000000000000000000000000000..7", false, 0, 0}, // longer than is read
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
        assert_true(conditions_draw_blocks(&c, &rules, NULL, &rng));
        assert_true(conditions_draw_blocks(&c, &again, NULL, &same));
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

static bool plays_on(const struct ruleset *rules, const char *opening) {
    union game_state at;
    char why[WHY_TEXT_MAX], *copy = strdup(opening), *bad;
    int ply;
    const bool good = rules->game->start(&at, rules, NULL, why) &&
                      !game_play_line(rules->game, &at, copy, &ply, &bad) &&
                      !game_is_over(rules->game, &at);
    free(copy);
    return good;
}

// Blocks are drawn beside the stones of an opening, and never so that they end the game: a block
// counts as a stone of both, so two at 0,0 and 0,5 would make six here.
static void test_blocks_beside_opening(void **state) {
    (void)state;
    static const char opening[] = "0,1; 5,5; 5,4; 0,2; 0,3; 4,0; 4,4; 0,4";
    struct conditions c;
    struct err err = {.set = false};
    conditions_init(&c, game_find("connect6"));
    assert_true(conditions_blocks(&c, "random:10", &err));
    for (int i = 0; i < 300; i++) {
        struct ruleset rules, again;
        char why[WHY_TEXT_MAX];
        ruleset_init(&rules, game_find("connect6"));
        assert_true(ruleset_set(&rules, "size", "6", why));
        again = rules;
        struct rng rng = conditions_rng(4, i), same = rng;
        assert_true(conditions_draw_blocks(&c, &rules, opening, &rng));
        if (!plays_on(&rules, opening))
            fail_msg("%s", rules.text[1]);
        assert_true(conditions_draw_blocks(&c, &again, opening, &same));
        assert_string_equal(rules.text[1], again.text[1]);
    }
}

// A board with fewer cells left than blocks are due is refused, and not searched forever.
static void test_no_room_for_blocks(void **state) {
    (void)state;
    struct conditions c;
    struct ruleset rules;
    struct err err = {.set = false};
    struct rng rng = {1};
    char why[WHY_TEXT_MAX], opening[36 * 8] = "";
    for (int i = 0; i < 28; i++)
        snprintf(opening + strlen(opening), 8, "%d,%d;", i / 6, i % 6);
    ruleset_init(&rules, game_find("connect6"));
    assert_true(ruleset_set(&rules, "size", "6", why));
    assert_true(plays_on(&rules, opening));
    conditions_init(&c, rules.game);
    assert_true(conditions_blocks(&c, "random:10", &err));
    assert_false(conditions_draw_blocks(&c, &rules, opening, &rng));
}

// At most half a game, whatever its rules say of its length; and such openings are found.
static void test_opening_lengths(void **state) {
    (void)state;
    static const struct {
        const char *game, *key, *value;
        int plies;
    } cases[] = {
        {"cuptactoe", NULL, NULL, 15},      {"cuptactoe", "max_turns", "9", 4},
        {"reversi", NULL, NULL, 30},        {"reversi", "board", "othello", 30},
        {"tower4", NULL, NULL, 32},         {"tower4", "pieces", "8", 4},
        {"hopchess", NULL, NULL, 200},      {"hopchess", "max_moves", "5", 5},
        {"connect6", NULL, NULL, 180},      {"connect6", "size", "6", 18},
        {"cuptactoe", "max_turns", "1", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ruleset rules;
        char why[WHY_TEXT_MAX];
        ruleset_init(&rules, game_find(cases[i].game));
        if (cases[i].key)
            assert_true(ruleset_set(&rules, cases[i].key, cases[i].value, why));
        if (conditions_opening_max(&rules) != cases[i].plies)
            fail_msg("%s %s: %d", cases[i].game, cases[i].value, conditions_opening_max(&rules));
        const struct conditions c = {.opening_plies = cases[i].plies};
        for (int number = 0; cases[i].plies > 0 && number < 20; number++) {
            struct rng rng = conditions_rng(5, number);
            char *opening = conditions_draw_opening(&c, &rules, &rng);
            assert_non_null(opening);
            assert_true(plays_on(&rules, opening));
            free(opening);
        }
    }
}

// What always ends the game is not handed out as an opening.
static void test_no_opening(void **state) {
    (void)state;
    struct ruleset rules;
    struct rng rng = {1};
    ruleset_init(&rules, game_find("reversi"));
    const struct conditions c = {.opening_plies = 64};
    assert_null(conditions_draw_opening(&c, &rules, &rng));
}

static void test_openings(void **state) {
    (void)state;
    for (int i = 0; i < game_count(); i++)
        for (int number = 0; number < 20; number++) {
            struct conditions c;
            struct ruleset rules;
            union game_state at;
            char why[WHY_TEXT_MAX], *bad;
            int ply;
            conditions_init(&c, game_nth(i));
            c.opening_plies = 5;
            ruleset_init(&rules, game_nth(i));
            struct rng rng = conditions_rng(3, number);
            char *opening = conditions_draw_opening(&c, &rules, &rng);
            assert_true(game_nth(i)->start(&at, &rules, NULL, why));
            assert_null(game_play_line(game_nth(i), &at, opening, &ply, &bad));
            assert_int_equal(ply, 5);
            assert_false(game_is_over(game_nth(i), &at));
            free(opening);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_fine_times),
        cmocka_unit_test(test_time_texts),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_blocks_beside_opening),
        cmocka_unit_test(test_no_room_for_blocks),
        cmocka_unit_test(test_opening_lengths),
        cmocka_unit_test(test_no_opening),
        cmocka_unit_test(test_openings),
    };
    return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
