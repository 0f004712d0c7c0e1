// SPDX-License-Identifier: MIT
#include "base/readable.h"

#include "check.h"

#include <string.h>

static const struct {
    const char *bytes, *shown;
} rows[] = {
    {"", ""},
    {"plain ~", "plain ~"},
    {"한글 é €", "한글 é €"},
    {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    {"\xc7\xd1\xb1\xdb", "한글"},                          // CP949
    {"\xc7\xd1\x1b[0m", "한\\x1b[0m"},                     // with what steers a terminal in it
    {"\x07\t\x7f", "\\x07\\x09\\x7f"},                     // controls
    {"\xc2\x85\xe2\x80\xa8", "\\xc2\\x85\\xe2\\x80\\xa8"}, // lines that end otherwise
    {"\xe2\x80\xae", "\\xe2\\x80\\xae"},                   // from right to left
    {"\xff\xfe", "\\xff\\xfe"},                            // neither
    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},                   // half a pair
    {"\xc0\x80", "\\xc0\\x80"},                            // longer than needed
    {"a\xf5\x80\xff", "a\\xf5\\x80\\xff"},
    {"\xe2\x82", "\\xe2\\x82"}, // cut
};

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf out = {.data = NULL};
        buf_text(&out, "");
        readable_put(&out, rows[i].bytes, strlen(rows[i].bytes), 1000);
        assert_string_equal(out.data ? out.data : "", rows[i].shown);
        buf_done(&out);
    }
}

static void test_cut(void **state) {
    (void)state;
    struct buf out = {.data = NULL};
    readable_put(&out, "a한글", 7, 5);
    assert_string_equal(out.data, "a한...");
    buf_clear(&out);
    readable_put(&out, "a한글", 7, 7);
    assert_string_equal(out.data, "a한글");
    buf_clear(&out);
    readable_put(&out, "\xc7\xd1\xb1\xdb", 4, 4); // counted as it is shown
    assert_string_equal(out.data, "한...");
    buf_done(&out);
    assert_int_equal(readable_cut("한글", 6, 2), 0);
}

// How much of a text is whole characters, however much of it there is.
static void test_whole(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t whole[8]; // of its first byte, its first two and so on
    } texts[] = {
        {"abc", {1, 2, 3}},
        {"a한é", {1, 1, 1, 4, 4, 6}},
        {"\xf0\x9f\x98\x80.", {0, 0, 0, 4, 5}},
        {"a\xc7\xd1\xb1\xdb", {1, 1, 3, 3, 5}},    // CP949
        {"\xb3\xaa\xbb\xda.", {0, 2, 2, 4, 5}},    // as well
        {"\xff\xff한", {0, 2, 2, 2, 5}},           // neither, and UTF-8 behind it
        {"\x80\x80\x80\x80\x80", {0, 2, 3, 4, 5}}, // what no character begins with
    };
    assert_int_equal(readable_whole("", 0), 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t n = 1; n <= strlen(texts[i].bytes); n++)
            if (readable_whole(texts[i].bytes, n) != texts[i].whole[n - 1])
                fail_msg("%zu bytes of text %zu: %zu", n, i, readable_whole(texts[i].bytes, n));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_cut),
                                       cmocka_unit_test(test_whole)};
    return cmocka_run_group_tests_name("readable", tests, NULL, NULL);
}
