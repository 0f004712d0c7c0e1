// SPDX-License-Identifier: MIT
// Numbers are read whole or not at all (src/base/whole.h, src/base/json.h).
#include "base/whole.h"
#include "base/json.h"
#include "check.h"

#include <limits.h>

static void texts(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        bool good;
        int64_t number;
    } cases[] = {
        {"0", true, 0},
        {"7", true, 7},
        {"-3", true, -3},
        {"2147483647", true, INT32_MAX},
        {"2147483648", false, 0},
        {"1099511627776", false, 0},
        {"99999999999999999999", false, 0},
        {"-99999999999999999999", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"+1", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"1x", false, 0},
        {"0x2", false, 0},
        {"1e3", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t number = 42;
        if (text_whole(cases[i].text, INT32_MIN, INT32_MAX, &number) != cases[i].good)
            fail_msg("'%s'", cases[i].text);
        assert_int_equal(number, cases[i].good ? cases[i].number : 42);
    }
}

static void values(void **unused) {
    (void)unused;
    json_t *list = json_loads("[0, 5, 9, -1, 10, 1099511627776, 9223372036854775807, 1.0, \"5\", "
                              "true, null, [5]]",
                              0, NULL);
    for (size_t i = 0; i < json_array_size(list); i++) {
        int64_t number = 42;
        assert_int_equal(json_whole(json_array_get(list, i), 0, 9, &number), i < 3);
        assert_int_equal(number, i < 3 ? json_integer_value(json_array_get(list, i)) : 42);
        assert_int_equal(json_int(json_array_get(list, i), -7),
                         i < 5 ? json_integer_value(json_array_get(list, i)) : -7);
    }
    int64_t number = 42;
    assert_false(json_whole(NULL, INT64_MIN, INT64_MAX, &number));
    assert_int_equal(json_int(NULL, 3), 3);
    json_decref(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
