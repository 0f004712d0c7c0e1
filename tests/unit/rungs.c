// SPDX-License-Identifier: MIT
// The tables of levels: those inside the program, the reader, and what a rung takes away.
#include "base/rungs.h"

#include "engine/engine.h"
#include "thoughts.h"

#include <string.h>

static const char *const names[] = {"", "cuptactoe", "reversi", "tower4", "hopchess", "connect6"};

// Nobody is weaker than who stands below him, and nobody sees less with fewer positions.
static void test_tables_rise(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct rungs rungs;
        rungs_find(&rungs, names[i]);
        assert_int_equal(rungs.rung[RUNG_COUNT - 1].nodes, 0);
        assert_int_equal(rungs.rung[RUNG_COUNT - 1].misses, 0);
        for (int k = 0; k < RUNG_COUNT - 1; k++) {
            const struct rung *low = &rungs.rung[k], *high = low + 1;
            assert_true(low->nodes > 0);
            assert_true(low->misses >= high->misses);
            assert_true(high->nodes == 0 || low->nodes <= high->nodes);
            assert_true(!rungs.measured || (low->elo <= high->elo && low->low <= low->elo));
        }
    }
}

static void test_reads(void **state) {
    (void)state;
    static const char text[] = "# a remark\n1 99 100 90 110\n\n2 9 200 190 210\n 3 9 300 290 310 \n"
                               "4 9 400 390 410\n5 9 500 490 510\r\n6 9 600 590 610\n7 9 700 690 "
                               "710\n8 9 800 790 810\n9 9 900 890 910\n0 0 1000 900 1100";
    struct rungs rungs;
    struct err err = {.set = false};
    assert_true(rungs_read(&rungs, text, strlen(text), &err));
    assert_true(rungs.measured);
    assert_int_equal(rungs.rung[0].misses, 99);
    assert_int_equal(rungs.rung[9].high, 1100);
    assert_true(rungs_read(&rungs, text, strlen(text) - 1, &err) == false); // 900 to 110
}

static void test_refuses(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "there are 0 rungs; accepted: 10"},
        {"1 2\n", "there are 1 rungs"},
        {"1\n", "line 1 of the rungs has 1 numbers; accepted: 2 or 5"},
        {"1 2 3\n", "has 3 numbers"},
        {"1 2 3 3 3 3\n", "'3' is no part of a rung"},
        {"# x\n1 101\n", "line 2 of the rungs: '101' is no MISSES"},
        {"-1 0\n", "'-1' is no NODES"},
        {"1 x\n", "'x' is no MISSES"},
        {"1 0\n1 0 5 5 5\n", "either all have an Elo, or none"},
        {"1 0 5 6 7\n", "is not from LOW to HIGH"},
        {"1 0 5 5 5\n1 0 4 4 4\n", "weaker than the one before"},
        {"1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n1 0\n", "more than 10 rungs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rungs rungs;
        struct err err = {.set = false};
        assert_false(rungs_read(&rungs, cases[i][0], strlen(cases[i][0]), &err));
        if (!strstr(err.text, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], err.text);
    }
    struct rungs rungs;
    struct err err = {.set = false};
    assert_false(rungs_read(&rungs, "1 0\0", 4, &err));
    static char long_text[RUNGS_TEXT_MAX];
    memset(long_text, '#', sizeof long_text);
    assert_false(rungs_read(&rungs, long_text, sizeof long_text, &err));
}

// Plays a game with a rung on both sides; returns a hash of its moves.
static uint64_t play(const struct ruleset *rules, const struct rung *rung, uint64_t seed) {
    const struct game *game = rules->game;
    const struct limits limits = {.nodes = 0};
    union game_state now = {.align = 0};
    char why[WHY_TEXT_MAX];
    uint64_t hash = 0;
    struct brain *brain = brain_new(rules, LEVEL_NORMAL, 1, seed);
    brain_set_rung(brain, rung);
    assert_true(game->start(&now, rules, NULL, why));
    for (int plies = 0; plies < 40 && !game_is_over(game, &now); plies++) {
        struct thought t;
        brain_think(brain, &now, &limits, &t);
        assert_null(game_play(game, &now, t.pv[0]));
        hash = hash * 31 + t.pv[0];
    }
    brain_free(brain);
    return hash;
}

static void test_misses_by_seed(void **state) {
    (void)state;
    for (const struct engine *const *e = engines; *e; e++)
        for (int misses = 50; misses <= 100; misses += 50) {
            const struct rung rung = {.nodes = 30, .misses = misses};
            struct ruleset rules;
            ruleset_init(&rules, game_find((*e)->game));
            assert_int_equal(play(&rules, &rung, 1), play(&rules, &rung, 1));
            if (play(&rules, &rung, 1) == play(&rules, &rung, 2))
                fail_msg("%s, %d: seeds do not matter", (*e)->game, misses);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_rise),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_misses_by_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
