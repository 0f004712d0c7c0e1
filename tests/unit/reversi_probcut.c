// SPDX-License-Identifier: MIT
#include "engine/reversi/probcut.h"

#include "check.h"

enum { DEPTH = 16 };

// A deeper probe tells more, a deeper search is further away, and all stays within reason.
static void test_shape(void **state) {
    (void)state;
    for (int kind = 0; kind < BOARD_KINDS; kind++)
        for (int empties = DEPTH + 1; empties < 56; empties++)
            for (int probe = 1; probe + 2 <= DEPTH - 2; probe++) {
                const enum board_kind k = (enum board_kind)kind;
                const double s = probcut_sigma(k, probe, DEPTH, empties);
                assert_true(s > 0.2 && s < 30);
                assert_true(probcut_sigma(k, probe + 2, DEPTH, empties) < s);
                assert_true(probcut_sigma(k, probe, DEPTH - 2, empties) < s);
            }
}

static void test_end(void **state) {
    (void)state;
    for (int kind = 0; kind < BOARD_KINDS; kind++)
        for (int probe = 1; probe < 12; probe++) {
            const enum board_kind k = (enum board_kind)kind;
            const double s = probcut_sigma(k, probe, 20, 20);
            assert_true(s > 1 && s < 20);
            assert_true(probcut_sigma(k, probe + 1, 20, 20) < s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shape), cmocka_unit_test(test_end)};
    return cmocka_run_group_tests_name("reversi_probcut", tests, NULL, NULL);
}
