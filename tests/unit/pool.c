// SPDX-License-Identifier: MIT
// Texts that are kept once.
#include "contest/pool.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static void test_each_is_kept_once(void **unused) {
    (void)unused;
    enum { COUNT = 10000 };
    static const char *kept[COUNT];
    struct pool pool = {.slots = NULL};
    char text[40];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COUNT; i++) {
            snprintf(text, sizeof text, "%d.000001 s of 1.000000 s", i);
            const char *found = pool_keep(&pool, text);
            assert_string_equal(found, text);
            assert_true(round == 0 || found == kept[i]);
            kept[i] = found;
        }
    assert_int_equal(pool.count, COUNT);
    assert_string_equal(pool_keep(&pool, ""), "");
    assert_true(pool_keep(&pool, "") == pool_keep(&pool, ""));
    pool_done(&pool);
    assert_int_equal(pool.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_is_kept_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
