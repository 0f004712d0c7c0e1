// SPDX-License-Identifier: MIT
// What the hopchess engine calls exact, against trying everything with the rules: races of one side
// alone, races of two, and small endings. tests/long/hopchess_solver.c has larger ones.
#include "hopchess.h"

#include "engine/finish.h"

enum { SOLO_DEPTH = 3 };

// The most black pieces home after so many moves of black, who is alone.
static int most_home(const struct hopchess *state, int moves) {
    int most = bits_count(state->piece[0] & FIELD_HOME);
    move list[LIST];
    if (moves == 0 || state->ending != ENDING_RUNNING)
        return most;
    const int count = game_hopchess.moves(state, list);
    for (int i = 0; i < count; i++) {
        struct hopchess next = *state;
        game_hopchess.apply(&next, list[i]);
        const int found = most_home(&next, moves - 1);
        most = found > most ? found : most;
    }
    return most;
}

static void test_moves_of_a_side_alone(void **unused) {
    (void)unused;
    const struct races *races = races_find(HOP_COUNT_MAX);
    struct rng rng = {1};
    for (int i = 0; i < 400; i++) {
        struct hopchess state;
        const int pieces = 1 + i % RACE_PIECES;
        const uint64_t among = i % 3 ? FIELD_HOME | FIELD_HOME >> 2 : UINT64_MAX;
        if (!lay(&state, strew(&rng, pieces, among), 0, 100))
            continue;
        const struct race race = race_of(races, state.piece[0]);
        for (int moves = 0; moves <= SOLO_DEPTH; moves++)
            assert_int_equal(race_home(&race, moves), most_home(&state, moves));
    }
}

// Contact would take longer than the game lasts, so the tables must know the outcome.
static void test_races_without_contact(void **unused) {
    (void)unused;
    const struct races *races = races_find(HOP_COUNT_MAX);
    struct rng rng = {2};
    int checked = 0, decided[3] = {0};
    for (int i = 0; i < 1200; i++) {
        struct hopchess state;
        if (!draw_race(&rng, 1, 1, 4, &state))
            continue;
        const int margin = checked_margin(races, &state);
        decided[(margin > 0) - (margin < 0) + 1]++;
        checked++;
    }
    print_message("# %d races: %d lost, %d drawn, %d won\n", checked, decided[0], decided[1],
                  decided[2]);
    assert_true(checked > 200 && decided[0] > 9 && decided[1] > 9 && decided[2] > 9);
}

// The player gives nothing away in a race: after his move the margin is what it was.
static void test_plays_races_exactly(void **unused) {
    (void)unused;
    const struct races *races = races_find(HOP_COUNT_MAX);
    const struct ruleset rules = standard();
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    struct rng rng = {6};
    int checked = 0;
    for (int i = 0; i < 300; i++) {
        struct hopchess state;
        const uint64_t home = FIELD_HOME | FIELD_HOME >> 1, away = FIELD_AWAY | FIELD_AWAY << 1;
        const uint64_t black = strew(&rng, 1 + (int)rng_below(&rng, 4), home);
        const uint64_t white = strew(&rng, 1 + (int)rng_below(&rng, 4), away);
        if (!lay(&state, black, white, 100 + (int)rng_below(&rng, 2)))
            continue;
        struct hop_field f = field_of_state(&state);
        struct thought t;
        int plies, scores[2];
        const int player = state.turns % 2, margin = race_margin(races, &f, &plies);
        brain_think(brain, (const void *)&state, &(struct limits){.nodes = 3000}, &t);
        game_hopchess.apply(&state, t.pv[0]);
        game_hopchess.scores(&state, scores);
        f = field_of_state(&state);
        const int after = state.ending == ENDING_RUNNING ? -race_margin(races, &f, &plies)
                                                         : scores[player] - scores[1 - player];
        if (after != margin)
            fail_msg("case %d: margin %d became %d", i, margin, after);
        checked++;
    }
    brain_free(brain);
    assert_true(checked > 100);
}

// How endings went that were followed to the end.
struct ends {
    int by_winner, by_loser, drawn_home; // all pieces home, moved there by whom
    int used_up;                         // the moves
    int lone, wiped_out;                 // begun with a side of one piece, or of none
};

// The line expected, told to the end and played by the rules, comes to the margin that the value
// names.
static void follow(struct brain *brain, const struct hopchess *begin, struct thought *t,
                   struct ends *ends) {
    struct hopchess state = *begin;
    int mover = 0, scores[2];
    thought_finish(brain, &game_hopchess, begin, &(struct limits){.nodes = 5000}, t);
    for (int i = 0; i < t->length; i++) {
        mover = state.turns % 2;
        assert_null(game_play(&game_hopchess, (union game_state *)&state, t->pv[i]));
    }
    assert_int_not_equal(state.ending, ENDING_RUNNING);
    game_hopchess.scores(&state, scores);
    const int player = begin->turns % 2, margin = scores[player] - scores[1 - player];
    assert_int_equal(margin, hop_margin(t->value));
    ends->used_up += state.ending == ENDING_MOVES;
    if (state.ending == ENDING_HOME) {
        ends->drawn_home += margin == 0;
        ends->by_winner += scores[mover] > scores[1 - mover];
        ends->by_loser += scores[mover] < scores[1 - mover];
    }
}

static void count_sides(const struct hopchess *state, struct ends *ends) {
    const int black = bits_count(state->piece[0]), white = bits_count(state->piece[1]);
    ends->lone += black == 1 || white == 1;
    ends->wiped_out += black == 0 || white == 0;
}

// Sides of no, one or a few pieces, near each other; the moves are soon used up.
static void test_small_endings(void **unused) {
    (void)unused;
    struct ends ends = {0};
    const struct ruleset rules = standard();
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    struct rng rng = {4};
    int checked = 0, decided[3] = {0};
    for (int i = 0; i < 500; i++) {
        struct hopchess state;
        const int left = 1 + (int)rng_below(&rng, 4);
        const uint64_t black = strew(&rng, (int)rng_below(&rng, left < 4 ? 5 : 4), ~FIELD_AWAY);
        const uint64_t white = strew(&rng, (int)rng_below(&rng, 4), ~FIELD_HOME) & ~black;
        if (!lay(&state, black, white, left))
            continue;
        struct thought t;
        brain_think(brain, (const void *)&state, &(struct limits){.nodes = 0}, &t);
        const int value = best_value(&state, 0, -HOP_NONE, HOP_NONE);
        const int expected = state.turns % 2 ? -value : value;
        assert_true(t.exact);
        if (t.value != expected)
            fail_msg("case %d: %d, not %d", i, t.value, expected);
        decided[(expected > 0) - (expected < 0) + 1]++;
        follow(brain, &state, &t, &ends);
        count_sides(&state, &ends);
        checked++;
    }
    brain_free(brain);
    print_message("# ended by the winner %d, by the loser %d, drawn %d, moves used up %d; "
                  "a side of one piece %d, of none %d\n",
                  ends.by_winner, ends.by_loser, ends.drawn_home, ends.used_up, ends.lone,
                  ends.wiped_out);
    assert_true(ends.by_winner > 9 && ends.by_loser > 2 && ends.used_up > 9 && ends.lone > 50 &&
                ends.wiped_out > 20);
    print_message("# %d endings: %d lost, %d drawn, %d won\n", checked, decided[0], decided[1],
                  decided[2]);
    assert_true(checked > 300 && decided[0] > 20 && decided[1] > 20 && decided[2] > 20);
}

// Fewer pieces and more turns: a position can come up again before the moves are used up.
static void test_endings_with_circles(void **unused) {
    (void)unused;
    const struct ruleset rules = standard();
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    struct rng rng = {11};
    int checked = 0;
    for (int i = 0; i < 120; i++) {
        struct hopchess state;
        const uint64_t black = strew(&rng, 1 + i % 2, ~FIELD_AWAY);
        const uint64_t white = strew(&rng, 1, ~FIELD_HOME) & ~black;
        if (!lay(&state, black, white, 5 + (int)rng_below(&rng, 2)))
            continue;
        struct thought t;
        brain_think(brain, (const void *)&state, &(struct limits){.nodes = 0}, &t);
        const int value = best_value(&state, 0, -HOP_NONE, HOP_NONE);
        assert_true(t.exact);
        assert_int_equal(t.value, state.turns % 2 ? -value : value);
        checked++;
    }
    brain_free(brain);
    assert_true(checked > 40);
}

// What is called won, drawn or lost for certain before the search has come to where the moves are
// used up is so; hardly ever could the winner win by more than told, and never by less.
static void test_proofs_hold(void **unused) {
    (void)unused;
    enum { LEFT = 7 };
    const struct ruleset rules = standard();
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    struct rng rng = {12};
    int proven = 0, drawn = 0, more = 0;
    for (int i = 0; i < 600; i++) {
        struct hopchess state;
        // The last ones are nearly home, so that games end before the moves are used up.
        const uint64_t near_home = FIELD_HOME | FIELD_HOME >> 1,
                       near_away = FIELD_AWAY | FIELD_AWAY << 1;
        const uint64_t black = strew(&rng, 1 + i % 4, i < 400 ? ~FIELD_AWAY : near_home);
        const uint64_t white =
            strew(&rng, 1 + i / 4 % 3, i < 400 ? ~FIELD_HOME : near_away) & ~black;
        if (!lay(&state, black, white, LEFT))
            continue;
        struct thought t;
        brain_think(brain, (const void *)&state, &(struct limits){.nodes = 1500}, &t);
        if (!t.exact || t.depth >= LEFT)
            continue;
        const int margin = best_margin(&state, -99, 99), told = hop_margin(t.value);
        assert_int_equal((margin > 0) - (margin < 0), (told > 0) - (told < 0));
        assert_true(abs(margin) >= abs(told));
        more += margin != told;
        proven++;
        drawn += t.value == 0;
    }
    brain_free(brain);
    print_message("# %d proofs, %d of them that a game is drawn; %d can be won by more\n", proven,
                  drawn, more);
    assert_true(proven > 100 && drawn > 5 && 50 * more < proven);
}

// A random position of a few pieces, near the end of the moves or far from it.
static bool draw_few(struct rng *rng, struct hopchess *state) {
    const uint64_t black = strew(rng, 1 + (int)rng_below(rng, 5), ~UINT64_C(0));
    const uint64_t white = strew(rng, 1 + (int)rng_below(rng, 5), ~black);
    const int late = 1 + (int)rng_below(rng, 12), early = 20 + (int)rng_below(rng, 300);
    return lay(state, black, white, rng_below(rng, 2) ? late : early);
}

// Where the game is decided before the search has come to its end the line is told to the end too.
static void test_lines_go_to_the_end(void **unused) {
    (void)unused;
    const struct ruleset rules = standard();
    struct brain *brain = brain_new(&rules, LEVEL_STRONG, 1, 1);
    struct rng rng = {13};
    struct ends ends = {0};
    int followed = 0, added = 0;
    for (int i = 0; i < 400; i++) {
        struct hopchess state;
        struct thought t;
        if (!draw_few(&rng, &state))
            continue;
        brain_think(brain, (const void *)&state, &(struct limits){.nodes = 5000}, &t);
        if (!t.exact)
            continue;
        const int length = t.length;
        follow(brain, &state, &t, &ends);
        added += t.length > length;
        followed++;
    }
    brain_free(brain);
    print_message("# %d lines, %d of them told further\n", followed, added);
    assert_true(followed > 100 && added > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_of_a_side_alone), cmocka_unit_test(test_races_without_contact),
        cmocka_unit_test(test_plays_races_exactly),   cmocka_unit_test(test_small_endings),
        cmocka_unit_test(test_endings_with_circles),  cmocka_unit_test(test_proofs_hold),
        cmocka_unit_test(test_lines_go_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
