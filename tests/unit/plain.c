// SPDX-License-Identifier: MIT
// What strangers say reaches no terminal as anything but text.
#include "base/plain.h"
#include "base/err.h"
#include "base/json.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

// Real sequences: a title, a colour, a cleared screen, a link, what terminals answer to, a byte
// that begins a sequence in 8 bits, the same letter in UTF-8, overwritten lines, turned writing.
static const struct {
    const char *given, *lines, *line;
} cases[] = {
    {"plain text", "plain text", "plain text"},
    {"two\nlines\tand a tab", "two\nlines\tand a tab", "two?lines?and a tab"},
    {"\xea\xb0\x80\xe6\x88\x91 \xf0\x9f\x98\x80", "\xea\xb0\x80\xe6\x88\x91 \xf0\x9f\x98\x80",
     "\xea\xb0\x80\xe6\x88\x91 \xf0\x9f\x98\x80"},
    {"\x1b]0;owned\x07", "?]0;owned?", "?]0;owned?"},
    {"\x1b[31mred\x1b[0m", "?[31mred?[0m", "?[31mred?[0m"},
    {"\x1b[2J\x1b[H", "?[2J?[H", "?[2J?[H"},
    {"\x1b]8;;http://a\x1b\\x", "?]8;;http://a?\\x", "?]8;;http://a?\\x"},
    {"\x9b"
     "31m",
     "?31m", "?31m"},
    {"\xc2\x9b"
     "31m",
     "?31m", "?31m"},
    {"\xc2\x85", "?", "?"},
    {"good\rbad", "good?bad", "good?bad"},
    {"from\r\nWindows", "from\nWindows", "from??Windows"},
    {"a\xe2\x80\xae"
     "b\xe2\x81\xa6"
     "c",
     "a?b?c", "a?b?c"},
    {"\xe2\x80\xa8", "?", "?"},
    {"\b\b\b\x7f\v\f", "??????", "??????"},
    {"cut \xea\xb0", "cut ?", "cut ?"},
    {"long \xc0\x9b form", "long ?? form", "long ?? form"},
    {"half \xed\xa0\x80", "half ?", "half ?"},
};

static void test_lines(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out = {.data = NULL};
        plain_put(&out, cases[i].given, strlen(cases[i].given));
        assert_string_equal(out.data, cases[i].lines);
        buf_done(&out);
    }
}

static void test_one_line_in_place(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        strcpy(text, cases[i].given);
        plain_clean(text);
        assert_string_equal(text, cases[i].line);
    }
}

// Wherever a stream is cut, the same comes out.
static void test_pieces(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t length = strlen(cases[i].given);
        for (size_t cut = 0; cut <= length; cut++) {
            struct buf out = {.data = NULL};
            struct plain plain = {.count = 0};
            plain_feed(&plain, cases[i].given, cut, &out);
            plain_feed(&plain, cases[i].given + cut, length - cut, &out);
            plain_end(&plain, &out);
            assert_string_equal(out.data ? out.data : "", cases[i].lines);
            buf_done(&out);
        }
    }
}

static char *printed(void (*print)(FILE *file, const char *text), const char *text) {
    char *bytes = NULL;
    size_t length;
    FILE *file = open_memstream(&bytes, &length);
    assert_non_null(file);
    print(file, text);
    fclose(file);
    return bytes;
}

static void print_value(FILE *file, const char *text) { plain_print(file, "%s", text); }

static void print_json(FILE *file, const char *text) { json_print_line(file, json_text(text)); }

static void test_printing(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = printed(print_value, cases[i].given);
        assert_string_equal(text, cases[i].lines);
        free(text);
    }
}

// JSON says the same as before, without the bytes.
static void test_json(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = printed(print_json, cases[i].given);
        const size_t length = strcspn(text, "\n");
        char *copy = strdup(text);
        assert_non_null(copy);
        copy[length] = '\0';
        plain_clean(copy);
        assert_memory_equal(copy, text, length); // there was nothing to clean
        free(copy);
        json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
        json_t *want = json_text(cases[i].given);
        assert_string_equal(json_string_value(value), json_string_value(want));
        json_decref(value);
        json_decref(want);
        free(text);
    }
}

static void test_errors(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {.set = false};
        err_set(&err, "%s", cases[i].given);
        assert_string_equal(err.text, cases[i].line);
        assert_string_equal(err.values[0], cases[i].line);
    }
}

// Spaces of ASCII, a hard one, that of Korean and Chinese, one of no width, a filler of Hangul.
static void test_blank(void **unused) {
    static const char *const blank[] = {
        "", " \t\r\n", "\xc2\xa0", "\xe3\x80\x80 ", "\xe2\x80\x8b", "\xe3\x85\xa4"};
    static const char *const not_blank[] = {"x", " .", "\xe3\x80\x80\xea\xb0\x80", "\xff"};
    (void)unused;
    for (size_t i = 0; i < sizeof blank / sizeof *blank; i++)
        assert_true(plain_is_blank(blank[i]));
    for (size_t i = 0; i < sizeof not_blank / sizeof *not_blank; i++)
        assert_false(plain_is_blank(not_blank[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),  cmocka_unit_test(test_one_line_in_place),
        cmocka_unit_test(test_pieces), cmocka_unit_test(test_printing),
        cmocka_unit_test(test_json),   cmocka_unit_test(test_errors),
        cmocka_unit_test(test_blank),
    };
    return cmocka_run_group_tests_name("plain", tests, NULL, NULL);
}
