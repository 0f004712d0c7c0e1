// SPDX-License-Identifier: MIT
// The connect6 engine as others use it: what it must play, and what it must never do.
#include "base/clock.h"
#include "base/err.h"
#include "check.h"
#include "engine/engine.h"
#include "games/connect6.h"
#include "rulesets.h"

static bool same_rules(const struct ruleset *a, const struct ruleset *b) {
    for (int i = 0; i < a->game->rule_count; i++)
        if (strcmp(a->text[i], b->text[i]) != 0)
            return false;
    return true;
}

// The brain for these rules, kept until others are asked for: its table is large to make.
static struct brain *brain_for(const struct ruleset *rules) {
    static struct ruleset last;
    static struct brain *brain;
    if (brain && same_rules(rules, &last))
        return brain;
    brain_free(brain);
    last = *rules;
    brain = brain_new(rules, LEVEL_STRONG, 1, 1);
    assert_non_null(brain);
    return brain;
}

static struct thought think_of(const struct ruleset *rules, const void *state, uint64_t nodes) {
    const struct limits limits = {.nodes = nodes};
    struct thought t;
    brain_think(brain_for(rules), state, &limits, &t);
    return t;
}

static void lay(struct ruleset *rules, union game_state *state, const char *setting,
                const char *position) {
    char why[WHY_TEXT_MAX], key[32];
    ruleset_init(rules, game_find("connect6"));
    assert_true(ruleset_set(rules, "size", "9", why));
    if (setting) {
        const char *equals = strchr(setting, '=');
        snprintf(key, sizeof key, "%.*s", (int)(equals - setting), setting);
        assert_true(ruleset_set(rules, key, equals + 1, why));
    }
    if (!rules->game->start(state, rules, position, why))
        fail_msg("%s: %s", position, why);
}

// Plays the turn that was thought of.
static void play(const struct ruleset *rules, union game_state *state, const struct thought *t) {
    const int mover = rules->game->turn(state);
    for (int i = 0; i < t->length && rules->game->turn(state) == mover; i++)
        assert_null(game_play(rules->game, state, t->pv[i]));
}

static const struct {
    const char *setting, *position;
    int winner; // after the turn; 0: the game goes on
} turns[] = {
    // Four and two empty cells: it fills them.
    {NULL, "9/9/2XXXX3/9/9/O1O1O1O2/9/X7O/8O", 1},
    // Two blocks and two stones.
    {NULL, "9/9/1#XX#4/9/9/O2X4O/O7O/9/9", 1},
    {NULL, "9/9/1#XXX#3/9/9/O5OOO/9/9/9", 1},
    // The gap would make seven: it is no six where that loses or is ignored, and one where it wins.
    {NULL, "XXX1XXX2/9/9/9/9/1O1O1O1O1/9/9/O1O6", 0},
    {"overline=win", "XXX1XXX2/9/9/9/9/1O1O1O1O1/9/9/O1O6", 1},
};

static void test_turns(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct ruleset rules;
        union game_state state;
        lay(&rules, &state, turns[i].setting, turns[i].position);
        const int mover = rules.game->turn(&state);
        assert_int_equal(mover, 1);
        const struct thought t = think_of(&rules, &state, 3000);
        play(&rules, &state, &t);
        if (rules.game->outcome(&state).winner != turns[i].winner)
            fail_msg("case %zu: winner %d", i, rules.game->outcome(&state).winner);
    }
}

// O has four with room on both sides: both ends of it must be stopped.
static void test_stops_a_threat(void **unused) {
    (void)unused;
    struct ruleset rules;
    union game_state state;
    lay(&rules, &state, NULL, "9/9/9/2OOOO3/9/9/X1X1X4/9/9");
    assert_int_equal(rules.game->turn(&state), 1);
    struct thought t = think_of(&rules, &state, 3000);
    play(&rules, &state, &t);
    t = think_of(&rules, &state, 3000);
    assert_false(t.exact && t.value >= 9999);
}

// The solver alone could use up all the time here: then too there must be a search, and X's row of
// four be stopped. On a slow machine a game was lost by this.
static void test_searches_after_the_solver(void **unused) {
    (void)unused;
    const struct limits short_time = {.time_us = 3000, .nodes = 1000000000};
    const char *position = "16O2/19/14O4/11O1X5/10O#X6/5X3OOX1#5/5X2XXXO7/9O9/13X4#/19/19/19/19/"
                           "18#/19/19/19/19/19";
    struct ruleset rules;
    union game_state state;
    char why[WHY_TEXT_MAX];
    struct thought t;
    ruleset_init(&rules, game_find("connect6"));
    if (!rules.game->start(&state, &rules, position, why))
        fail_msg("%s", why);
    assert_int_equal(rules.game->turn(&state), 2);
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    brain_think(brain, &state, &short_time, &t);
    brain_free(brain);
    play(&rules, &state, &t);
    t = think_of(&rules, &state, 100);
    assert_true(t.value < 9999);
}

// A game was lost by 9,9 11,9: X wins by force in eight turns then, further than a search sees. A
// turn is chosen after which the solver finds no such win.
static void test_looks_for_wins_of_the_other(void **unused) {
    (void)unused;
    struct ruleset rules;
    union game_state state;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, game_find("connect6"));
    const char *wrong = NULL;
    assert_true(rules.game->start(&state, &rules, NULL, why));
    char line[] = "9,8; 16,1; 8,7; 9,7; 9,6; 9,5; 10,6; 9,11; 12,8", *bad;
    int ply = 0;
    wrong = game_play_line(rules.game, &state, line, &ply, &bad);
    assert_null(wrong);
    struct thought t = think_of(&rules, &state, 100000);
    play(&rules, &state, &t);
    t = think_of(&rules, &state, 100000);
    assert_false(t.exact && t.value > 0);
}

// The same position and nodes give the same answer, whatever was thought before.
static void test_nodes_decide(void **unused) {
    (void)unused;
    const struct limits limits = {.nodes = 5000}, other = {.nodes = 2000};
    struct ruleset rules;
    union game_state state, next;
    struct thought first, second;
    lay(&rules, &state, NULL, "9/9/9/3XO4/4O4/9/9/9/9");
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    brain_think(brain, &state, &limits, &first);
    next = state;
    play(&rules, &next, &first);
    brain_think(brain, &next, &other, &second);
    brain_think(brain, &state, &limits, &second);
    assert_int_equal(first.value, second.value);
    assert_int_equal(first.nodes, second.nodes);
    assert_int_equal(first.length, second.length);
    for (int i = 0; i < first.length; i++)
        assert_int_equal(first.pv[i], second.pv[i]);
    brain_free(brain);
}

// One thought holds both stones, and what follows is legal too.
static void test_lines_are_legal(void **unused) {
    (void)unused;
    for (int i = 0; i < TEST_RULESETS; i++) {
        struct ruleset rules;
        union game_state state, ahead;
        char why[WHY_TEXT_MAX];
        if (strcmp(test_rulesets[i].game, "connect6") != 0)
            continue;
        test_ruleset_make(&test_rulesets[i], &rules);
        assert_true(rules.game->start(&state, &rules, NULL, why));
        for (int turn = 0; turn < 12 && !game_is_over(rules.game, &state); turn++) {
            const struct thought t = think_of(&rules, &state, 400);
            assert_true(t.length >= 1);
            ahead = state;
            for (int k = 0; k < t.length; k++)
                if (game_play(rules.game, &ahead, t.pv[k]))
                    fail_msg("ruleset %d, turn %d: stone %d of the line is illegal", i, turn, k);
            play(&rules, &state, &t);
        }
    }
}

// A game to the end: an overline only where there is nothing else.
static void play_game(const struct ruleset *rules, uint64_t nodes) {
    const struct limits limits = {.nodes = nodes};
    union game_state state;
    char why[WHY_TEXT_MAX];
    struct brain *brain = brain_new(rules, LEVEL_STRONG, 1, 1);
    assert_true(rules->game->start(&state, rules, NULL, why));
    int left = 0;
    while (!game_is_over(rules->game, &state)) {
        struct thought t;
        brain_think(brain, &state, &limits, &t);
        left = rules->game->count(&state);
        play(rules, &state, &t);
    }
    assert_true(rules->game->outcome(&state).ending != ENDING_OVERLINE || left <= 4);
    brain_free(brain);
}

static void test_no_overline(void **unused) {
    (void)unused;
    for (int i = 0; i < TEST_RULESETS; i++) {
        struct ruleset rules;
        if (strcmp(test_rulesets[i].game, "connect6") != 0)
            continue;
        test_ruleset_make(&test_rulesets[i], &rules);
        play_game(&rules, 60);
    }
}

static void test_blocks_in_the_centre_and_in_rows(void **unused) {
    (void)unused;
    static const char *const blocks[] = {
        "9,9 9,10 10,9 10,10",
        "9,9 8,9 10,9 9,8 9,10 8,8",
        "8,8 9,8 10,8 8,9 10,9 8,10 9,10 10,10",
        "5,5 7,7 8,8 10,10 11,11 13,13",
        "6,9 7,9 8,9 9,9 10,9 11,9",
        "4,9 5,9 6,9 7,9 8,9 9,9 10,9 11,9 12,9 13,9",
        "7,7 8,7 9,7 10,7 11,7 7,11 8,11 9,11 10,11 11,11",
        "9,1 9,3 9,5 9,7 9,9 9,11 9,13 9,15 9,17 9,18",
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct ruleset rules;
        char why[WHY_TEXT_MAX];
        ruleset_init(&rules, game_find("connect6"));
        assert_true(ruleset_set(&rules, "blocks", blocks[i], why));
        play_game(&rules, 300);
    }
}

// All the time of a turn is used, but for turns that are won, forced or lost.
static void test_uses_its_time(void **unused) {
    (void)unused;
    enum { AT_ONCE_NODES = 5000, TIME_US = 100000 };
    static const struct {
        const char *position;
        bool at_once;
    } cases[] = {
        {"9/9/9/3XO4/4O4/9/9/9/9", false},
        {"9/9/9/X1OOOO1X1/9/9/4X4/9/9", false},              // one stone of two is free
        {"9/9/2XXXX3/9/9/O1O1O1O2/9/X7O/8O", true},          // six
        {"9/9/9/2XX5/3XX4/5X3/O1O5O/O7O/1O7", true},         // a win by threats
        {"XOOOOO3/9/9/X1X1X4/9/X1X1X4/9/4X4/XOOOOO3", true}, // both stones are forced
        {"9/9/9/1OOOO4/2O6/2O6/X1O1X3O/1X1X5/X4XX2", true},  // nothing stops all threats
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct limits limits = {.time_us = cases[i].at_once ? 70 * TIME_US : TIME_US};
        struct ruleset rules;
        union game_state state;
        struct thought t;
        lay(&rules, &state, NULL, cases[i].position);
        struct brain *brain = brain_for(&rules);
        const int64_t begin = clock_now_us();
        brain_think(brain, &state, &limits, &t);
        const int64_t used_us = clock_now_us() - begin;
        if (cases[i].at_once ? t.nodes > AT_ONCE_NODES : used_us < TIME_US * 9 / 10)
            fail_msg("case %zu: %d us, %d nodes", i, (int)used_us, (int)t.nodes);
    }
}

static void test_weighs_one_move(void **unused) {
    (void)unused;
    const struct limits limits = {.nodes = 2000};
    struct ruleset rules;
    union game_state state;
    struct thought t;
    lay(&rules, &state, NULL, "9/9/2XXXX3/9/9/O1O1O1O2/9/X7O/8O");
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    brain_weigh(brain, &state, 8 * 20 + 4, &limits, &t);
    assert_int_equal(t.pv[0], 8 * 20 + 4);
    assert_true(t.value < 9999);
    brain_weigh(brain, &state, 2 * 20 + 1, &limits, &t);
    assert_int_equal(t.pv[0], 2 * 20 + 1);
    assert_true(t.value >= 9999);
    brain_free(brain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_stops_a_threat),
        cmocka_unit_test(test_searches_after_the_solver),
        cmocka_unit_test(test_looks_for_wins_of_the_other),
        cmocka_unit_test(test_nodes_decide),
        cmocka_unit_test(test_lines_are_legal),
        cmocka_unit_test(test_no_overline),
        cmocka_unit_test(test_blocks_in_the_centre_and_in_rows),
        cmocka_unit_test(test_uses_its_time),
        cmocka_unit_test(test_weighs_one_move),
    };
    return cmocka_run_group_tests_name("connect6_engine", tests, NULL, NULL);
}
