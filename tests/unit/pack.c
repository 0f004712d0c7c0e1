// SPDX-License-Identifier: MIT
#include "engine/pack.h"

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 10, PERIOD = 3000, COUNT = STAGES * PERIOD };

// Weights like those of a training: most small, stages alike, a third never seen.
static void draw_weights(int16_t *weights, uint64_t seed) {
    struct rng rng = {seed};
    for (int i = 0; i < PERIOD; i++) {
        const bool seen = rng_below(&rng, 3) > 0;
        const int mean = (int)rng_below(&rng, 101) - 50;
        for (int s = 0; s < STAGES; s++)
            weights[s * PERIOD + i] =
                (int16_t)(seen ? mean + (int)rng_below(&rng, 9) - (int)rng_below(&rng, 9) : 0);
    }
}

static void assert_round_trip(const int16_t *weights, size_t count, size_t period, size_t most) {
    struct buf packed = {.data = NULL};
    struct err err = {.set = false};
    int16_t *back = mem_new(count + 1, sizeof *back);
    pack_write(&packed, "test weights", weights, count, period);
    assert_true(pack_read(packed.data, packed.length, "test weights", back, count, &err));
    assert_memory_equal(weights, back, count * sizeof *back);
    assert_true(packed.length <= most);
    buf_done(&packed);
    free(back);
}

static void test_round_trip(void **state) {
    (void)state;
    int16_t *weights = mem_new(COUNT, sizeof *weights);
    draw_weights(weights, 1);
    assert_round_trip(weights, COUNT, PERIOD, COUNT * 5 / 8);
    assert_round_trip(weights, COUNT, 0, COUNT);
    free(weights);
}

static void test_random_and_extreme(void **state) {
    (void)state;
    static int16_t weights[COUNT];
    struct rng rng = {7};
    for (int i = 0; i < COUNT; i++)
        weights[i] = (int16_t)rng_next(&rng);
    assert_round_trip(weights, COUNT, 0, COUNT * 9 / 4);
    assert_round_trip(weights, COUNT, 17, COUNT * 19 / 8);
    for (int i = 0; i < COUNT; i++)
        weights[i] = rng_below(&rng, 2) ? INT16_MIN : INT16_MAX;
    assert_round_trip(weights, COUNT, 1, COUNT);
}

static void test_few(void **state) {
    (void)state;
    static const int16_t none[COUNT] = {0}, some[3] = {-1, 300, 0};
    assert_round_trip(none, COUNT, PERIOD, 300);
    assert_round_trip(none, 0, 0, 100);
    for (size_t count = 1; count <= 3; count++)
        assert_round_trip(some, count, 1, 100);
}

static bool reads(const char *bytes, size_t size, const char *name, size_t count) {
    static int16_t back[COUNT + 1];
    struct err err = {.set = false};
    const bool good = pack_read(bytes, size, name, back, count, &err);
    assert_int_equal(good, !err.set);
    return good;
}

static void test_refused(void **state) {
    (void)state;
    static int16_t weights[COUNT];
    struct buf packed = {.data = NULL};
    struct rng rng = {3};
    draw_weights(weights, 2);
    pack_write(&packed, "test weights", weights, COUNT, PERIOD);
    assert_true(reads(packed.data, packed.length, "test weights", COUNT));
    assert_false(reads(packed.data, packed.length, "test", COUNT));
    assert_false(reads(packed.data, packed.length, "other weights", COUNT));
    assert_false(reads(packed.data, packed.length, "test weights", COUNT - 1));
    assert_false(reads(packed.data, packed.length, "test weights", COUNT + 1));
    for (size_t size = 0; size < packed.length; size += 1 + rng_below(&rng, 200)) {
        char *cut = mem_new(size + 1, 1);
        memcpy(cut, packed.data, size);
        assert_false(reads(cut, size, "test weights", COUNT));
        free(cut);
    }
    for (int i = 0; i < 300; i++) {
        const size_t at = i < 50   ? (size_t)i
                          : i < 60 ? packed.length - 1 - (size_t)(i - 50)
                                   : rng_below(&rng, (uint32_t)packed.length);
        const char was = packed.data[at];
        packed.data[at] = (char)(was ^ (1 << rng_below(&rng, 8)));
        assert_false(reads(packed.data, packed.length, "test weights", COUNT));
        packed.data[at] = was;
    }
    buf_done(&packed);
}

static void test_noise(void **state) {
    (void)state;
    struct rng rng = {9};
    for (int i = 0; i < 2000; i++) {
        char noise[200];
        const size_t size = rng_below(&rng, sizeof noise);
        for (size_t k = 0; k < size; k++)
            noise[k] = (char)rng_next(&rng);
        assert_false(reads(noise, size, "test weights", 100));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_random_and_extreme),
        cmocka_unit_test(test_few),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests_name("pack", tests, NULL, NULL);
}
