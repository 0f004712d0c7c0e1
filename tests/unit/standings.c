// SPDX-License-Identifier: MIT
// Tables and ratings against ones worked out by hand, and against closed forms.
#include "contest/standings.h"

#include "base/rng.h"
#include "check.h"
#include "contest/rating.h"

#include <math.h>
#include <string.h>

// Four players, everybody once; worked out by hand:
//   0 beats 1 (10:2), 0 draws 2 (5:5), 3 beats 0 (1:4), 1 beats 2 (7:3), 1 draws 3 (6:6),
//   2 beats 3 (9:0)
// Points 2-1-0: 0 has 3, 1 has 3, 2 has 3, 3 has 3.
// Differences: 0: +8 +0 -3 = +5; 1: -8 +4 +0 = -4; 2: 0 -4 +9 = +5; 3: +3 +0 -9 = -6.
static const struct result games[] = {
    {{0, 1}, 0, {10, 2}, 0}, {{0, 2}, -1, {5, 5}, 0}, {{0, 3}, 1, {1, 4}, 0},
    {{1, 2}, 0, {7, 3}, 0},  {{3, 1}, -1, {6, 6}, 0}, {{2, 3}, 0, {9, 0}, 0},
};

static void test_difference(void **unused) {
    (void)unused;
    const struct table_rules rules = {
        .win = 2, .draw = 1, .breaks = {TIE_BREAK_DIFFERENCE}, .break_count = 1};
    struct standing s[4];
    standings_make(&rules, games, 6, NULL, 4, s);
    const int order[] = {0, 2, 1, 3}, ranks[] = {1, 1, 3, 4}, differences[] = {5, 5, -4, -6};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(s[i].player, order[i]);
        assert_int_equal(s[i].rank, ranks[i]);
        assert_int_equal(s[i].points, 3);
        assert_int_equal(s[i].played, 3);
        assert_int_equal(s[i].won, 1);
        assert_int_equal(s[i].tie[TIE_BREAK_DIFFERENCE], differences[i]);
    }
}

// 0 and 2 are equal but for the games against 3, whom only 2 has beaten.
static void test_breaks_in_their_order(void **unused) {
    (void)unused;
    const struct result three[] = {
        {{0, 1}, 0, {1, 0}, 0}, {{2, 1}, 0, {1, 0}, 0}, {{0, 2}, 1, {0, 1}, 0},
        {{3, 2}, 0, {9, 0}, 0}, {{0, 3}, 0, {1, 0}, 0},
    };
    // Points: 0: 4, 1: 0, 2: 4, 3: 2. Difference: 0: 1 - 1 + 1 = 1; 2: 1 + 1 - 9 = -7.
    // Direct: 2 beat 0. Buchholz (halves): 0: 2 * (0 + 4 + 2) = 12; 2: 2 * (0 + 4 + 2) = 12.
    // Sonneborn (halves): 0: 2 * (0 + 2) = 4; 2: 2 * (0 + 4) = 8.
    struct table_rules rules = {.win = 2, .draw = 1, .break_count = 1};
    const struct {
        enum tie_break first;
        int best, rank_of_second;
    } cases[] = {
        {TIE_BREAK_DIFFERENCE, 0, 2}, {TIE_BREAK_DIRECT, 2, 2}, {TIE_BREAK_BUCHHOLZ, 0, 1},
        {TIE_BREAK_SONNEBORN, 2, 2},  {TIE_BREAK_WINS, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct standing s[4];
        rules.breaks[0] = cases[i].first;
        standings_make(&rules, three, 5, NULL, 4, s);
        assert_int_equal(s[0].player, cases[i].best);
        assert_int_equal(s[1].rank, cases[i].rank_of_second);
        assert_int_equal(s[0].tie[TIE_BREAK_BUCHHOLZ], 12);
        assert_int_equal(tie_break_find(tie_break_word(cases[i].first)), cases[i].first);
    }
}

static void test_bye_and_disqualified(void **unused) {
    (void)unused;
    const struct result three[] = {{{0, -1}, 0, {0, 0}, 0}, {{1, 2}, 0, {1, 0}, 0}};
    const bool out[] = {false, true, false};
    const struct table_rules rules = {.win = 2, .draw = 1};
    struct standing s[3];
    standings_make(&rules, three, 2, out, 3, s);
    assert_int_equal(s[0].player, 0);
    assert_int_equal(s[0].points, 2);
    assert_int_equal(s[1].player, 2);
    assert_int_equal(s[2].player, 1);
    assert_int_equal(s[2].points, 0);
}

// Games added up are as good as single ones, for the table and for ratings.
static void test_sums(void **unused) {
    (void)unused;
    enum { PLAYERS = 5, GAMES = 400 };
    static struct result single[GAMES], sums[PLAYERS * PLAYERS * 4];
    const struct table_rules rules = {
        .win = 3,
        .draw = 1,
        .loss = 0,
        .breaks = {TIE_BREAK_DIRECT, TIE_BREAK_BUCHHOLZ, TIE_BREAK_SONNEBORN, TIE_BREAK_DIFFERENCE},
        .break_count = 4};
    struct rng rng = {8};
    int count = 0;
    for (int i = 0; i < GAMES; i++) {
        const int a = (int)rng_below(&rng, PLAYERS),
                  b = (a + 1 + (int)rng_below(&rng, PLAYERS - 1)) % PLAYERS;
        const int winner = (int)rng_below(&rng, 4) - 1; // also RESULT_NOBODY
        single[i] = (struct result){.player = {a, b},
                                    .winner = winner,
                                    .scores = {(int)rng_below(&rng, 9), (int)rng_below(&rng, 9)}};
        int k = 0;
        while (k < count &&
               (sums[k].player[0] != a || sums[k].player[1] != b || sums[k].winner != winner))
            k++;
        if (k == count)
            sums[count++] = (struct result){.player = {a, b}, .winner = winner, .more = -1};
        sums[k].more++;
        for (int p = 0; p < 2; p++)
            sums[k].scores[p] += single[i].scores[p];
    }
    assert_true(count < GAMES);
    struct standing x[PLAYERS] = {{0}}, y[PLAYERS] = {{0}};
    standings_make(&rules, single, GAMES, NULL, PLAYERS, x);
    standings_make(&rules, sums, count, NULL, PLAYERS, y);
    assert_memory_equal(x, y, sizeof x);
    struct ratings *r = ratings_new(single, GAMES, PLAYERS), *s = ratings_new(sums, count, PLAYERS);
    for (int i = 0; i < PLAYERS; i++)
        assert_true(fabs(r->elo[i] - s->elo[i]) < 1e-6);
    ratings_free(r);
    ratings_free(s);
}

// Two players: the maximum is where a's expected points of n + his prior game's are what he has.
static void test_rating_of_two(void **unused) {
    (void)unused;
    struct result many[4000];
    int n = 0;
    for (int i = 0; i < 4000; i++)
        many[n++] =
            (struct result){.player = {i % 2, 1 - i % 2}, .winner = i % 4 ? i % 2 : 1 - i % 2};
    struct ratings *r = ratings_new(many, n, 2);
    const double share = 0.75, elo = 400 * log10(share / (1 - share));
    assert_true(fabs(fabs(r->elo[0] - r->elo[1]) - elo) < 1);
    assert_true(fabs(r->elo[0] + r->elo[1]) < 1e-6);
    // Of the difference the variance is 1 / (n p q) in log odds, but for the prior.
    const double variance = r->covariance[0] + r->covariance[3] - 2 * r->covariance[1];
    const double natural = 400 / log(10);
    assert_true(fabs(sqrt(variance) - natural / sqrt(n * share * (1 - share))) < 0.2);
    // Each is told from the mean of the two, half as far away.
    assert_true(fabs(ratings_error(r, 0) - 1.96 * sqrt(variance) / 2) < 1e-6);
    const double sure = ratings_superiority(r, 0, 1);
    assert_true(sure > 0.999 || sure < 0.001);
    ratings_free(r);
}

static void test_rating_recovers_strengths(void **unused) {
    (void)unused;
    enum { PLAYERS = 6, GAMES = 30000 };
    static struct result many[GAMES];
    struct rng rng = {1};
    for (int i = 0; i < GAMES; i++) {
        const int a = (int)rng_below(&rng, PLAYERS),
                  b = (a + 1 + (int)rng_below(&rng, PLAYERS - 1)) % PLAYERS;
        const double p = 1 / (1 + pow(10, (b - a) * 100 / 400.0)); // 100 Elo apart
        many[i] =
            (struct result){.player = {a, b}, .winner = rng_below(&rng, 1000000) < p * 1e6 ? 0 : 1};
    }
    struct ratings *r = ratings_new(many, GAMES, PLAYERS);
    int within = 0;
    for (int i = 0; i < PLAYERS; i++)
        within += fabs(r->elo[i] - (i - 2.5) * 100) < ratings_error(r, i);
    assert_true(within >= 5);
    ratings_free(r);
}

static void test_rating_of_those_who_won_all(void **unused) {
    (void)unused;
    const struct result all[] = {
        {{0, 1}, 0, {0, 0}, 0}, {{1, 0}, 1, {0, 0}, 0}, {{0, -1}, 0, {0, 0}, 0}};
    struct ratings *r = ratings_new(all, 3, 3);
    assert_true(isfinite(r->elo[0]) && r->elo[0] > r->elo[2] && r->elo[2] > r->elo[1]);
    assert_true(ratings_error(r, 2) > ratings_error(r, 0));
    ratings_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_difference),
        cmocka_unit_test(test_breaks_in_their_order),
        cmocka_unit_test(test_bye_and_disqualified),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_rating_of_two),
        cmocka_unit_test(test_rating_recovers_strengths),
        cmocka_unit_test(test_rating_of_those_who_won_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
