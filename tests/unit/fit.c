// SPDX-License-Identifier: MIT
#include "train/fit.h"

#include "base/rng.h"
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WEIGHTS = 200, ROWS = 20000, TERMS = 6 };

// Rows drawn from known weights: row n is the same whenever it is asked for.
struct truth {
    float weights[WEIGHTS];
    float noise;
};

static double uniform(struct rng *rng) { return (double)(rng_next(rng) >> 11) * 0x1p-53; }

static void draw_row(const void *data, size_t number, struct fit_row *row) {
    const struct truth *truth = data;
    struct rng rng = {number + 1};
    double sum = 0;
    row->count = TERMS;
    row->group = number / 10;
    for (int i = 0; i < TERMS; i++) {
        // some features are a hundred times as frequent as others
        const double u = uniform(&rng);
        row->terms[i].weight = (uint32_t)(u * u * WEIGHTS);
        row->terms[i].value = (float)(1 + rng_below(&rng, 2));
        sum += (double)truth->weights[row->terms[i].weight] * row->terms[i].value;
    }
    row->target = (float)(sum + truth->noise * (uniform(&rng) - 0.5));
}

static void draw_truth(struct truth *truth, float scale) {
    struct rng rng = {5};
    for (int i = 0; i < WEIGHTS; i++)
        truth->weights[i] = (float)(uniform(&rng) - 0.5) * scale;
}

static double worst(const float *a, const float *b) {
    double most = 0;
    for (int i = 0; i < WEIGHTS; i++)
        most = fmax(most, fabs((double)a[i] - b[i]));
    return most;
}

static void test_squared(void **state) {
    (void)state;
    struct truth truth = {.noise = 0};
    float weights[WEIGHTS] = {0};
    const struct fit_data data = {ROWS, WEIGHTS, draw_row, &truth};
    const struct fit_options options = {
        .l2 = 1e-6, .rounds = 4, .steps = 20, .held_percent = 10, .threads = 2, .seed = 3};
    struct fit_progress best;
    draw_truth(&truth, 10);
    fit(&data, &options, weights, &best);
    assert_true(worst(weights, truth.weights) < 0.01);
    assert_true(best.held < 1e-4 && best.trained < 1e-4);
}

static void test_noise(void **state) {
    (void)state;
    struct truth truth = {.noise = 6};
    float weights[WEIGHTS] = {0};
    const struct fit_data data = {ROWS, WEIGHTS, draw_row, &truth};
    const struct fit_options options = {
        .l2 = 1, .rounds = 3, .steps = 20, .held_percent = 10, .threads = 1, .seed = 3};
    struct fit_progress best;
    draw_truth(&truth, 10);
    fit(&data, &options, weights, &best);
    const double bare = 6.0 * 6 / 12 / 2; // half the variance of what cannot be known
    assert_true(best.held > 0.9 * bare && best.held < 1.1 * bare);
    assert_true(worst(weights, truth.weights) < 0.5);
}

static void test_l2_pulls_to_the_beginning(void **state) {
    (void)state;
    struct truth truth = {.noise = 0};
    float weights[WEIGHTS];
    const struct fit_data data = {ROWS, WEIGHTS, draw_row, &truth};
    const struct fit_options options = {.l2 = 1e12, .rounds = 2, .steps = 5, .threads = 1};
    struct fit_progress best;
    draw_truth(&truth, 10);
    for (int i = 0; i < WEIGHTS; i++)
        weights[i] = (float)i;
    fit(&data, &options, weights, &best);
    for (int i = 0; i < WEIGHTS; i++)
        assert_true(fabs((double)weights[i] - i) < 1e-3);
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    struct truth truth = {.noise = 3};
    float one[WEIGHTS] = {0}, two[WEIGHTS] = {0};
    const struct fit_data data = {ROWS, WEIGHTS, draw_row, &truth};
    struct fit_options options = {
        .l2 = 1, .rounds = 2, .steps = 5, .held_percent = 10, .threads = 1, .seed = 3};
    struct fit_progress best;
    draw_truth(&truth, 10);
    fit(&data, &options, one, &best);
    options.threads = 2;
    fit(&data, &options, two, &best);
    assert_memory_equal(one, two, sizeof one);
}

static void test_groups_are_held_out_together(void **state) {
    (void)state;
    const struct fit_options options = {.held_percent = 20, .seed = 11};
    int held = 0;
    for (uint64_t group = 0; group < 10000; group++)
        held += fit_holds(&options, group);
    assert_true(held > 1800 && held < 2200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squared),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_l2_pulls_to_the_beginning),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_groups_are_held_out_together),
    };
    return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
