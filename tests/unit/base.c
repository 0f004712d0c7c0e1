// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "base/err.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/rng.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static void test_errors_can_be_said_otherwise(void **state) {
    (void)state;
    struct err err = {.set = false}, outer = {.set = false};
    assert_false(err_set(&err, "%.3s: 100 %% of %zu, %lld and %d", "abc\ndef", (size_t)7, -8LL, 9));
    assert_string_equal(err.text, "abc: 100 % of 7, -8 and 9");
    assert_string_equal(err.form, "%.3s: 100 %% of %zu, %lld and %d");
    assert_int_equal(err.value_count, 4);
    assert_string_equal(err.values[0], "abc");
    assert_string_equal(err.values[1], "7");
    assert_string_equal(err.values[2], "-8");
    assert_string_equal(err.values[3], "9");
    assert_false(err_refuse(&outer, "x.py", &err));
    assert_string_equal(outer.text, "x.py was refused: abc: 100 % of 7, -8 and 9");
    assert_string_equal(outer.who, "x.py");
    assert_string_equal(outer.form, err.form);
    struct err star = {.set = false};
    err_set(&star, "%.*s", 2, "abc");
    assert_string_equal(star.values[0], "ab");
}

static void test_first_error_stays(void **state) {
    (void)state;
    struct err err = {.set = false};
    assert_false(err_set(&err, "cannot open %s", "a"));
    assert_false(err_set(&err, "cannot open %s", "b"));
    assert_string_equal(err.text, "cannot open a");
}

// The published first numbers of splitmix64 from seed 1234567.
static void test_random_numbers(void **state) {
    (void)state;
    struct rng rng = {1234567};
    assert_true(rng_next(&rng) == UINT64_C(6457827717110365317));
    assert_true(rng_next(&rng) == UINT64_C(3203168211198807973));
    int seen[6] = {0};
    for (int i = 0; i < 6000; i++)
        seen[rng_below(&rng, 6)]++;
    for (int i = 0; i < 6; i++)
        assert_in_range(seen[i], 800, 1200);
    assert_int_equal(rng_below(&rng, 1), 0);
}

static void test_clocks_go_forward(void **state) {
    (void)state;
    const int64_t now = clock_now_us(), cpu = clock_cpu_us();
    assert_true(clock_now_us() >= now && clock_cpu_us() >= cpu && now > 0 && cpu > 0);
}

static struct lines *open_lines(const char *bytes, size_t size) {
    struct lines *lines = mem_new(1, sizeof *lines);
    lines->file = tmpfile();
    assert_non_null(lines->file);
    assert_int_equal(fwrite(bytes, 1, size, lines->file), size);
    rewind(lines->file);
    return lines;
}

static void close_lines(struct lines *lines) {
    fclose(lines->file);
    free(lines);
}

static void test_lines(void **state) {
    (void)state;
    static const char bytes[] = "one\r\n\ntwo\0x\nlast";
    struct lines *lines = open_lines(bytes, sizeof bytes - 1);
    assert_true(lines_next(lines));
    assert_string_equal(lines->text, "one");
    assert_true(lines_next(lines));
    assert_string_equal(lines->text, "");
    assert_true(lines_next(lines));
    assert_true(lines->has_nul);
    assert_int_equal(lines->length, 5);
    assert_true(lines_next(lines));
    assert_string_equal(lines->text, "last");
    assert_false(lines->has_nul);
    assert_false(lines_next(lines));
    close_lines(lines);
}

static void test_long_lines_are_cut(void **state) {
    (void)state;
    const size_t size = LINE_MAX_BYTES + 10;
    char *bytes = mem_new(size + 3, 1);
    memset(bytes, 'a', size);
    memcpy(bytes + size, "\nb\n", 3);
    struct lines *lines = open_lines(bytes, size + 3);
    assert_true(lines_next(lines));
    assert_true(lines->too_long);
    assert_int_equal(lines->length, LINE_MAX_BYTES);
    assert_true(lines_next(lines));
    assert_false(lines->too_long);
    assert_string_equal(lines->text, "b");
    assert_false(lines_next(lines));
    close_lines(lines);
    free(bytes);
}

static void test_any_bytes_as_json(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"plain", "plain"}, {"컵택토", "컵택토"}, {"bad \xff byte", "bad ? byte"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *value = json_text(cases[i][0]);
        assert_string_equal(json_string_value(value), cases[i][1]);
        json_decref(value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_can_be_said_otherwise),
        cmocka_unit_test(test_first_error_stays),
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_clocks_go_forward),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_long_lines_are_cut),
        cmocka_unit_test(test_any_bytes_as_json),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
