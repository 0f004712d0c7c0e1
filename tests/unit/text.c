// SPDX-License-Identifier: MIT
#include "games/text.h"

#include "check.h"
#include "games/bits.h"
#include "games/grid.h"

#include <string.h>

static void test_writes_never_overflow(void **state) {
    (void)state;
    char buffer[9] = "zzzzzzzz";
    struct text t = text_begin(buffer, 5);
    text_put(&t, "abc");
    text_put_number(&t, -12345);
    assert_string_equal(buffer, "abc-");
    assert_int_equal(buffer[5], 'z');
}

static void test_numbers(void **state) {
    (void)state;
    char buffer[64];
    struct text t = text_begin(buffer, sizeof buffer);
    text_put_number(&t, 0);
    text_put_char(&t, ' ');
    text_put_number(&t, -2147483647 - 1);
    text_put_padded(&t, 7, 4);
    text_put_padded(&t, -7, 3);
    assert_string_equal(buffer, "0 -2147483648   7 -7");
}

static void test_quotes_are_cut_and_printable(void **state) {
    (void)state;
    char buffer[100];
    struct text t = text_begin(buffer, sizeof buffer);
    text_put_quoted(&t, "a\n\x80z");
    assert_string_equal(buffer, "'a??z'");
    t = text_begin(buffer, sizeof buffer);
    text_put_quoted(&t, "0123456789012345678901234567890123456789X");
    assert_string_equal(buffer, "'0123456789012345678901234567890123456789...'");
}

static void test_reads_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool read;
        int value;
        const char *rest;
    } cases[] = {
        {"7", true, 7, ""},
        {"007x", true, 7, "x"},
        {"", false, 0, ""},
        {"-1", false, 0, "-1"},
        {"+1", false, 0, "+1"},
        {" 1", false, 0, " 1"},
        {"1000000", true, TEXT_NUMBER_MAX, ""},
        {"999999999999999999999999", true, TEXT_NUMBER_MAX, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = cases[i].text;
        int value = 0;
        assert_int_equal(text_take_number(&at, &value), cases[i].read);
        assert_int_equal(value, cases[i].value);
        assert_string_equal(at, cases[i].rest);
    }
}

static void test_reads_pairs(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool read;
        const char *rest;
    } cases[] = {
        {"3,4", true, ""},   {"3, 4 ", true, " "}, {"3 ,4", false, "3 ,4"}, {"3,", false, "3,"},
        {",4", false, ",4"}, {"3", false, "3"},    {"3;4", false, "3;4"},   {"3,-4", false, "3,-4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = cases[i].text;
        int a, b;
        assert_int_equal(text_take_pair(&at, &a, &b), cases[i].read);
        assert_string_equal(at, cases[i].rest);
        if (cases[i].read)
            assert_true(a == 3 && b == 4);
    }
}

static void test_finds_words(void **state) {
    (void)state;
    assert_int_equal(text_find_word("open|othello", "open"), 0);
    assert_int_equal(text_find_word("open|othello", "othello"), 1);
    assert_int_equal(text_find_word("open|othello", "o"), -1);
    assert_int_equal(text_find_word("open|othello", "othellos"), -1);
    assert_int_equal(text_find_word("open|othello", ""), -1);
    assert_int_equal(text_find_word("open|othello", "open|othello"), -1);
    assert_int_equal(text_find_word("3|1", "1"), 1);
}

static void test_copies_what_fits(void **state) {
    (void)state;
    char buffer[4] = "old";
    assert_false(text_copy(buffer, sizeof buffer, "four"));
    assert_string_equal(buffer, "old");
    assert_true(text_copy(buffer, sizeof buffer, "new"));
    assert_string_equal(buffer, "new");
}

static void test_grids(void **state) {
    (void)state;
    char grid[9], text[32];
    const char *at = "1X1/.#./O2 rest";
    assert_null(grid_read(&at, 3, 3, grid));
    assert_memory_equal(grid, ".X..#.O..", 9);
    assert_string_equal(at, " rest");
    struct text t = text_begin(text, sizeof text);
    grid_write(&t, 3, 3, grid);
    assert_string_equal(text, "1X1/1#1/O2");
    at = "1X2/O..X";
    assert_null(grid_read(&at, 4, 2, grid));
    assert_memory_equal(grid, ".X..O..X", 8);
    t = text_begin(text, sizeof text);
    grid_write(&t, 4, 2, grid);
    assert_string_equal(text, "1X2/O2X");
    static const char *const bad[] = {"3/3",    "4/3/3", "3/3/2",   "3/3/1X2",
                                      "3/3/x2", "",      "3/0X2/3", "3/3/99999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        at = bad[i];
        assert_non_null(grid_read(&at, 3, 3, grid));
    }
}

static void test_nth_bit(void **state) {
    (void)state;
    const uint64_t sets[] = {1, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(0x8100000000000081),
                             UINT64_C(0x0123456789abcdef)};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        int n = 0;
        for (int square = 0; square < 64; square++)
            if (sets[i] & bit(square))
                assert_int_equal(bits_nth(sets[i], n++), square);
        assert_int_equal(n, bits_count(sets[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes_never_overflow),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_quotes_are_cut_and_printable),
        cmocka_unit_test(test_reads_numbers),
        cmocka_unit_test(test_reads_pairs),
        cmocka_unit_test(test_finds_words),
        cmocka_unit_test(test_copies_what_fits),
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_nth_bit),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
