// SPDX-License-Identifier: MIT
// What the connect6 engine calls exact: ends by force, of single moves too, and the last cells of a
// board, where trying everything agrees. And the threats that it lists.
#include "base/rng.h"
#include "brute6.h"
#include "check.h"
#include "engine/connect6/search.h"
#include "engine/engine.h"
#include "games/grid.h"

#include <stdio.h>

static void set_rule(struct ruleset *rules, const char *key, const char *value) {
    char why[WHY_TEXT_MAX];
    if (!ruleset_set(rules, key, value, why))
        fail_msg("%s=%s: %s", key, value, why);
}

static struct brain *brain_for(struct ruleset *rules, const char *size, const char *overline) {
    ruleset_init(rules, game_find("connect6"));
    set_rule(rules, "size", size);
    set_rule(rules, "overline", overline);
    struct brain *brain = brain_new(rules, LEVEL_STRONG, 1, 1);
    assert_non_null(brain);
    return brain;
}

static void lay(const struct ruleset *rules, union game_state *state, const char *position) {
    char why[WHY_TEXT_MAX];
    if (!rules->game->start(state, rules, position, why))
        fail_msg("%s: %s", position ? position : "the start", why);
}

static const struct {
    const char *position, *x, *o; // what fills a row for each
} threats[] = {
    // A row of four has three windows; of five, two that are filled by one stone and no more.
    {"9/9/2XXXX3/9/9/O1O1O1O2/9/X7O/8O", "0,2+1,2 1,2+6,2 6,2+7,2", ""},
    {"9/9/2XXXXX2/9/9/O1O1O1O2/9/8O/8O", "1,2 7,2", ""},
    // Five of six in two lines, with the same gap.
    {"O1O3O1O/1XXX1XX2/4X4/4X4/4X4/4X4/4X4/4O4/O1O1O1O1O", "4,1", ""},
    // In the middle of a turn one stone is left, and the other will have two.
    {"9/9/2XXXX3/9/9/O1OOO4/9/9/9", "", "1,5+5,5"},
};

static void write_threats(struct brain *brain, const union game_state *state, int player,
                          char text[static 256]) {
    move list[ENGINE_THREATS_MAX][2];
    const int count = brain_threats(brain, state, player, list);
    *text = '\0';
    for (int i = 0; i < count; i++) {
        const int a = (int)list[i][0], b = (int)list[i][1];
        char *end = text + strlen(text);
        end += sprintf(end, "%s%d,%d", i ? " " : "", a % 20, a / 20);
        if (list[i][1] != MOVE_PASS)
            sprintf(end, "+%d,%d", b % 20, b / 20);
    }
}

static void test_threats_are_listed_once(void **unused) {
    (void)unused;
    struct ruleset rules;
    struct brain *brain = brain_for(&rules, "9", "lose");
    for (size_t i = 0; i < sizeof threats / sizeof *threats; i++) {
        union game_state state;
        char text[256];
        lay(&rules, &state, threats[i].position);
        write_threats(brain, &state, 1, text);
        assert_string_equal(text, threats[i].x);
        write_threats(brain, &state, 2, text);
        assert_string_equal(text, threats[i].o);
    }
    brain_free(brain);
}

static const struct {
    const char *position;
    int x, y;
    int value; // exact; or 0: not known
} moves[] = {
    {"9/9/9/2XX5/3XX4/5X3/O1O5O/O7O/1O7", 2, 2, 9995}, // the first of a pair that wins in 3 turns
    {"9/9/9/2XX5/3XX4/5X3/O1O5O/O7O/1O7", 5, 4, 9995}, // the second
    {"9/9/2XXXX3/9/9/O1O1O1O2/9/X7O/8O", 1, 2, 9999},
    {"9/9/1XXXXX3/9/9/O1O1O1O2/9/8O/8O", 0, 2, 9999},
    {"XXX1XXX2/9/9/9/9/1O1O1O1O1/9/9/O1O6", 3, 0, -9999}, // seven
    // O fills a row next, and one stone does not stop all its windows.
    {"9/9/9/2OOOO3/9/9/X1X1X4/9/9", 0, 0, -9998},
    {"9/9/9/2OOOO3/9/9/X1X1X4/9/9", 6, 3, 0},
    // The last stone of a turn that leaves O a win.
    {"9/9/9/2OOOO3/9/9/X1X1XX3/9/9", 0, 0, -9998},
    {"9/9/9/X1OOOO1X1/9/9/2X1X4/9/9", 8, 8, -9998},
};

static void test_weighed_moves_are_decided(void **unused) {
    (void)unused;
    const struct limits limits = {.nodes = 3000};
    struct ruleset rules;
    struct brain *brain = brain_for(&rules, "9", "lose");
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        union game_state state;
        struct thought t;
        lay(&rules, &state, moves[i].position);
        brain_weigh(brain, &state, (move)(moves[i].y * 20 + moves[i].x), &limits, &t);
        assert_int_equal(t.pv[0], moves[i].y * 20 + moves[i].x);
        if (t.exact != (moves[i].value != 0) || (t.exact && t.value != moves[i].value))
            fail_msg("case %zu: value %d%s", i, t.value, t.exact ? ", exact" : "");
        assert_true(t.exact || abs(t.value) < VALUE_FORCED);
    }
    brain_free(brain);
}

// Openings that are lost whatever is done: games were lost by them to the plainest players.
static const struct {
    const char *position;
    int value;
} losses[] = {
    {"19/19/15#3/19/4#1O#O10/19/9##8/7X11/19/19/19/19/7#10#/15#3/19/1#13#3/19/19/19", -9992},
    {"3#15/19/1#17/19/19/19/8#9X/1#17/5O13/10#O7/9#XX#6/19/19/19/19/2#16/19/4#14/14#4", -9990},
};

static void test_losses_are_proven(void **unused) {
    (void)unused;
    const struct limits limits = {.nodes = 20000};
    struct ruleset rules;
    struct brain *brain = brain_for(&rules, "19", "lose");
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        union game_state state;
        struct thought t;
        lay(&rules, &state, losses[i].position);
        brain_think(brain, &state, &limits, &t);
        if (!t.exact || t.value != losses[i].value)
            fail_msg("case %zu: value %d%s", i, t.value, t.exact ? ", exact" : "");
    }
    brain_free(brain);
}

// A random game until so many cells are empty; false if it ended before.
static bool play_until(const struct ruleset *rules, int left, struct rng *rng,
                       union game_state *state) {
    const struct game *game = rules->game;
    lay(rules, state, NULL);
    while (!game_is_over(game, state) && game->count(state) > left)
        game->apply(state, game->nth(state, (int)rng_below(rng, (uint32_t)game->count(state))));
    return !game_is_over(game, state);
}

// The value by trying everything: a win is worth 10000 less the turns until then.
static int value_of(const struct game *game, const union game_state *state, int turn) {
    const int player = game->turn(state);
    move list[BRUTE_CELLS];
    int best = -VALUE_WIN;
    const int count = game->moves(state, list);
    for (int i = 0; i < count; i++) {
        union game_state next = *state;
        game->apply(&next, list[i]);
        const int winner = game_is_over(game, &next) ? game->outcome(&next).winner : -1;
        const int value = winner == 0                   ? 0
                          : winner == player            ? VALUE_WIN - turn
                          : winner > 0                  ? turn - VALUE_WIN
                          : game->turn(&next) == player ? value_of(game, &next, turn)
                                                        : -value_of(game, &next, turn + 1);
        best = value > best ? value : best;
    }
    return best;
}

static void check_value(struct brain *brain, struct brute *brute, const union game_state *state) {
    enum { ALL_TURNS = 6 }; // cells, where the number of turns is compared, too
    const struct game *game = brute->game;
    const struct limits limits = {.nodes = 400000};
    const int player = game->turn(state);
    struct thought t;
    char text[STATE_TEXT_MAX];
    game->write_state(state, text);
    brain_think(brain, state, &limits, &t);
    if (!t.exact)
        fail_msg("not exact: %s", text);
    const int winner = brute_wins(brute, player, state)       ? player
                       : brute_wins(brute, 3 - player, state) ? 3 - player
                                                              : 0;
    const int claimed = t.value > 0 ? player : t.value < 0 ? 3 - player : 0;
    if (winner != claimed)
        fail_msg("%d wins, claimed %d (%d): %s", winner, claimed, t.value, text);
    if (game->count(state) <= ALL_TURNS)
        assert_int_equal(t.value, value_of(game, state, 1));
}

static void test_last_cells_are_exact(void **unused) {
    (void)unused;
    enum { POSITIONS = 40, LEFT_MAX = 9 };
    static const char *const sizes[] = {"7", "8", "9"};
    static const char *const overlines[] = {"lose", "ignore", "win"};
    struct rng rng = {7};
    struct brute brute;
    brute_init(&brute, game_find("connect6"));
    for (int i = 0; i < 9; i++) {
        struct ruleset rules;
        struct brain *brain = brain_for(&rules, sizes[i % 3], overlines[i / 3]);
        for (int k = 0; k < POSITIONS; k++) {
            union game_state state;
            if (play_until(&rules, 1 + (int)rng_below(&rng, LEFT_MAX), &rng, &state))
                check_value(brain, &brute, &state);
        }
        brain_free(brain);
    }
    brute_done(&brute);
}

// Where the nodes do not allow to play it out, what follows goes on from the same board: every line
// can be played.
static void test_broken_off(void **unused) {
    (void)unused;
    enum { POSITIONS = 40, LEFT = 9, NODES_MAX = 3000, STEP = 12 };
    struct rng rng = {8};
    struct ruleset rules;
    struct brain *brain = brain_for(&rules, "7", "lose");
    for (int k = 0; k < POSITIONS; k++) {
        union game_state start;
        if (!play_until(&rules, LEFT + k % 8, &rng, &start))
            continue;
        for (uint64_t nodes = 1; nodes < NODES_MAX; nodes += STEP) {
            union game_state state = start;
            struct thought t;
            brain_think(brain, &state, &(struct limits){.nodes = nodes}, &t);
            assert_true(t.length > 0);
            for (int i = 0; i < t.length; i++)
                assert_null(game_play(rules.game, &state, t.pv[i]));
        }
    }
    brain_free(brain);
}

// Two stones alone stop the threats: a player lays them at once, who asks wants to know the rest.
static void test_one_defence(void **state) {
    (void)state;
    static const char position[] = "19/19/4XOOO1OO8/19/19/19/4XOOO1OO8/19/8O10/8OO9/9OX8/3X5X5X3/"
                                   "19/19/3X5X3XXX3/19/19/3XX14/19";
    struct ruleset rules;
    struct brain *brain = brain_for(&rules, "19", "lose");
    union game_state at;
    struct thought t;
    lay(&rules, &at, position);
    brain_think(brain, &at, &(struct limits){.nodes = 100000}, &t);
    assert_true(t.nodes < 1000);
    brain_think(brain, &at, &(struct limits){.nodes = 100000, .curious = true}, &t);
    assert_true(t.exact && t.value < -9000);
    brain_free(brain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threats_are_listed_once),
        cmocka_unit_test(test_weighed_moves_are_decided),
        cmocka_unit_test(test_losses_are_proven),
        cmocka_unit_test(test_last_cells_are_exact),
        cmocka_unit_test(test_broken_off),
        cmocka_unit_test(test_one_defence),
    };
    return cmocka_run_group_tests_name("connect6_decide", tests, NULL, NULL);
}
