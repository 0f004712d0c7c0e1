// SPDX-License-Identifier: MIT
// Texts that are kept once.
#include "contest/interned.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static void test_each_is_kept_once(void **unused) {
    (void)unused;
    enum { COUNT = 10000 };
    static const char *kept[COUNT];
    struct interned texts = {.slots = NULL};
    char text[40];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COUNT; i++) {
            snprintf(text, sizeof text, "%d.000001 s of 1.000000 s", i);
            const char *found = interned_keep(&texts, text);
            assert_string_equal(found, text);
            assert_true(round == 0 || found == kept[i]);
            kept[i] = found;
        }
    assert_int_equal(texts.count, COUNT);
    assert_string_equal(interned_keep(&texts, ""), "");
    assert_true(interned_keep(&texts, "") == interned_keep(&texts, ""));
    interned_done(&texts);
    assert_int_equal(texts.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_is_kept_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
