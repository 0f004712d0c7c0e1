// SPDX-License-Identifier: MIT
// Ratings against closed forms and figures worked out by hand.
#include "referee/score.h"

#include "check.h"

#include <math.h>

static void assert_near(double a, double b, double within) {
    if (!(fabs(a - b) <= within))
        fail_msg("%f is not %f", a, b);
}

static void test_even(void **state) {
    (void)state;
    const struct score score = {.won = 40, .drawn = 20, .lost = 40};
    const struct estimate e = score_estimate(&score);
    assert_near(e.points, 0.5, 1e-9);
    assert_near(e.elo, 0, 1e-9);
    assert_near(e.high, -e.low, 1e-9);
    // variance 0.2 of 0.25: as 100 * 60 / (50 * 0.8 + 10) = 120 games without draws, for which
    // Wilson has 0.5 + 1.96 / 2 / sqrt(120 + 1.96^2)
    assert_near(e.points_high, 0.588061, 1e-5);
    assert_near(e.high, 61.86, 0.05);
}

static void test_three_of_four(void **state) {
    (void)state;
    const struct score score = {.won = 75, .lost = 25};
    assert_near(score_estimate(&score).elo, 400 * log10(3), 1e-9); // 190.8
}

// All pairs 1-1: the pairs know nothing of spread, the single games would.
static void test_pairs_are_more_exact(void **state) {
    (void)state;
    struct score score = {0};
    for (int i = 0; i < 50; i++)
        score_add_pair(&score, 1, -1);
    for (int i = 0; i < 5; i++) {
        score_add_pair(&score, 1, 1);
        score_add_pair(&score, -1, -1);
    }
    const struct score single = {.won = score.won, .lost = score.lost};
    assert_int_equal(score_games(&score), 120);
    assert_int_equal(score.pairs[2], 50);
    // a third of the spread: as 120 * 70 / (60 / 3 + 10) = 280 free games instead of 120
    assert_near(score_estimate(&score).points_high, 0.5 + 0.979982 / sqrt(280 + 3.841459), 1e-5);
    assert_near(score_estimate(&single).points_high, 0.5 + 0.979982 / sqrt(120 + 3.841459), 1e-5);
}

static void test_extremes(void **state) {
    (void)state;
    const struct score all = {.won = 20}, none = {0};
    const struct estimate e = score_estimate(&all);
    assert_true(isinf(e.elo) && e.elo > 0 && e.low > 200);
    assert_true(e.points_low > 0.8 && e.points_low < 1);
    assert_near(score_estimate(&none).points, 0.5, 0);
}

// Wilson's interval as tables have it; a point more never lowers the lower end.
static void test_near_the_end(void **state) {
    (void)state;
    static const struct {
        int won, games;
        double low;
    } cases[] = {{100, 100, 0.9630},
                 {99, 100, 0.9455},
                 {98, 100, 0.9300},
                 {97, 100, 0.9155},
                 {194, 200, 0.9361}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct score s = {.won = cases[i].won, .lost = cases[i].games - cases[i].won};
        assert_near(score_estimate(&s).points_low, cases[i].low, 1e-4);
    }
    double before = -1;
    for (int points = 0; points <= 200; points++) {
        const struct score s = {
            .won = points / 2, .drawn = points % 2, .lost = 100 - points / 2 - points % 2};
        const struct estimate e = score_estimate(&s);
        assert_true(e.points_low >= before && e.points_low <= e.points);
        assert_true(e.points <= e.points_high);
        before = e.points_low;
    }
}

static void test_sprt(void **state) {
    (void)state;
    const struct sprt sprt = {.elo0 = 0, .elo1 = 10};
    struct score score = {0};
    assert_near(sprt_ratio(&sprt, &score), 0, 0);
    assert_near(sprt_bound(), 2.944, 0.001);
    // 1000 pairs, mean 0.525, variance 0.06: n (p1 - p0)(2 mean - p0 - p1) / (2 variance)
    score = (struct score){.won = 600, .drawn = 900, .lost = 500, .pairs = {40, 160, 460, 340, 0}};
    const double p1 = 1 / (1 + pow(10, -10 / 400.0));
    double mean = (160 * 0.25 + 460 * 0.5 + 340 * 0.75) / 1000;
    double variance = (40 * mean * mean + 160 * pow(0.25 - mean, 2) + 460 * pow(0.5 - mean, 2) +
                       340 * pow(0.75 - mean, 2)) /
                      1000;
    assert_near(sprt_ratio(&sprt, &score),
                1000 * (p1 - 0.5) * (2 * mean - 0.5 - p1) / (2 * variance), 0.05);
    const struct score lucky = {.won = 2, .pairs = {0, 0, 0, 0, 1}};
    assert_int_equal(sprt_result(&sprt, &lucky), SPRT_RUNNING);
    assert_int_equal(sprt_result(&sprt, &score), SPRT_ACCEPTED);
    score = (struct score){.won = 500, .lost = 800, .pairs = {300, 0, 200, 0, 150}};
    assert_int_equal(sprt_result(&sprt, &score), SPRT_REJECTED);
}

static void test_sprt_texts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"0,10", true},   {"-5,5.5", true},  {"0,50", true},     {"0, 50", true},
        {"10,0", false},  {"5,5", false},    {"nan,nan", false}, {"0,nan", false},
        {"0,inf", false}, {"-inf,0", false}, {"0,10x", false},   {"0,10 ", false},
        {"0x,10", false}, {"0;10", false},   {"0", false},       {"0,", false},
        {",10", false},   {"", false},       {"0,10,20", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sprt sprt;
        if (sprt_read(&sprt, cases[i].text) != cases[i].good)
            fail_msg("'%s'", cases[i].text);
    }
    struct sprt sprt;
    assert_true(sprt_read(&sprt, "-5,5.5"));
    assert_near(sprt.elo0, -5, 0);
    assert_near(sprt.elo1, 5.5, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_three_of_four),
        cmocka_unit_test(test_pairs_are_more_exact),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_near_the_end),
        cmocka_unit_test(test_sprt),
        cmocka_unit_test(test_sprt_texts),
    };
    return cmocka_run_group_tests_name("score", tests, NULL, NULL);
}
