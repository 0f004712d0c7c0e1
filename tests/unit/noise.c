// SPDX-License-Identifier: MIT
// Standard error of a player, by lines, and its last words.
#include "referee/noise.h"

#include "base/readable.h"
#include "check.h"

#include <stdint.h>
#include <string.h>

static void put_line(void *owner, const char *bytes, size_t length) {
    struct buf *out = owner;
    buf_text(out, "[");
    buf_put(out, bytes, length);
    buf_text(out, "]");
}

static void take(struct noise *n, const char *text, struct buf *out) {
    noise_take(n, text, strlen(text), put_line, out);
}

static void test_lines(void **state) {
    (void)state;
    struct noise n = {.length = 0};
    struct buf out = {.data = NULL};
    char words[NOISE_WORDS_MAX];
    noise_words(&n, words);
    assert_string_equal(words, "");
    for (const char *c = "one\n\ntwo\r\n"; *c; c++)
        take(&n, (const char[]){*c, '\0'}, &out);
    assert_string_equal(out.data, "[one\n][\n][two\r\n]");
    noise_words(&n, words);
    assert_string_equal(words, "two");
    take(&n, " \n\xb3\xaa", &out); // half a word of CP949
    take(&n, "\xbb\xda", &out);
    noise_words(&n, words);
    assert_string_equal(words, "two");
    noise_end(&n, put_line, &out);
    noise_end(&n, put_line, &out);
    assert_string_equal(out.data, "[one\n][\n][two\r\n][ \n][\xb3\xaa\xbb\xda]");
    noise_words(&n, words);
    assert_string_equal(words, "나쁘");
    buf_done(&out);
}

// Where Python says the line of the source, it stands before what it says at last.
static void test_places(void **state) {
    (void)state;
    static const struct {
        const char *said, *words;
    } cases[] = {
        {"  File \"player.py\", line 14\n    x = (\n        ^\nSyntaxError: '(' was never closed\n",
         "line 14: SyntaxError: '(' was never closed"},
        {"Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\n"
         "  File \"a.py\", line 7, in f\n    1 / 0\nZeroDivisionError: division by zero\n",
         "line 7: ZeroDivisionError: division by zero"},
        {"Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    load()\n"
         "  File \"/usr/lib/python3.11/json/decoder.py\", line 355, in f\n"
         "  File \"<frozen os>\", line 6, in g\nValueError: no JSON\n",
         "line 3: ValueError: no JSON"},
        {"  File \"a.py\", line 3\nSyntaxError: x\nI go on\n", "I go on"},
        {"  File \"a.py\", line none\nError\n", "Error"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct noise n = {.length = 0};
        struct buf out = {.data = NULL};
        char words[NOISE_WORDS_MAX];
        take(&n, cases[i].said, &out);
        noise_words(&n, words);
        assert_string_equal(words, cases[i].words);
        buf_done(&out);
    }
}

static void count_line(void *owner, const char *bytes, size_t length) {
    (void)bytes, (void)length;
    ++*(int *)owner;
}

// Whoever writes nothing but ends of lines is not looked at for long; what he says at last is.
static void test_flood(void **state) {
    (void)state;
    static char ends[65536];
    static struct noise n;
    char words[NOISE_WORDS_MAX];
    int lines = 0;
    memset(ends, '\n', sizeof ends);
    noise_take(&n, ends, sizeof ends, count_line, &lines);
    assert_int_equal(lines, sizeof ends);
    for (int i = 0; i < 100; i++)
        noise_take(&n, ends, sizeof ends, count_line, &lines);
    assert_true(lines < 2 * (int)sizeof ends);
    noise_take(&n, "why\n", 4, count_line, &lines);
    noise_words(&n, words);
    assert_string_equal(words, "why");
    struct buf out = {.data = NULL}; // a whole traceback at the end of a flood
    for (int i = 0; i < 30; i++)
        memcpy(ends + sizeof ends - 30 * 9 + 9 * i, "a caller\n", 9);
    noise_take(&n, ends, sizeof ends, put_line, &out);
    const char *at = out.data;
    for (int i = 0; i < 30; i++, at++)
        assert_non_null(at = strstr(at, "[a caller\n]"));
    buf_done(&out);
}

static void put_shown(void *owner, const char *bytes, size_t length) {
    readable_put(owner, bytes, length - (bytes[length - 1] == '\n'), SIZE_MAX);
}

// A long line comes in pieces, each of whole characters, and all of it; its beginning is kept.
static void test_long(void **state) {
    (void)state;
    static const char *const characters[] = {"한", "\xc7\xd1"}; // as UTF-8, as CP949
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
        for (int before = 0; before < 4; before++) {
            struct noise n = {.length = 0};
            struct buf line = {.data = NULL}, shown = {.data = NULL}, wanted = {.data = NULL};
            char words[NOISE_WORDS_MAX];
            buf_format(&line, "%.*s", before, "aaa");
            buf_format(&wanted, "%.*s", before, "aaa");
            for (int k = 0; k < 3000; k++) {
                buf_text(&line, characters[i]);
                buf_text(&wanted, "한");
            }
            buf_text(&line, "\n");
            noise_take(&n, line.data, line.length, put_shown, &shown);
            assert_int_equal(n.length, 0);
            assert_string_equal(shown.data, wanted.data);
            noise_words(&n, words);
            const size_t kept = readable_cut(wanted.data, wanted.length, 160);
            assert_memory_equal(words, wanted.data, kept);
            assert_string_equal(words + kept, "...");
            noise_take(&n, "end\n", 4, put_shown, &shown);
            noise_words(&n, words);
            assert_string_equal(words, "end");
            buf_done(&line);
            buf_done(&shown);
            buf_done(&wanted);
        }
}

// A line that fills the room has no piece behind it for its end alone.
static void test_full(void **state) {
    (void)state;
    struct noise n = {.length = 0};
    struct buf out = {.data = NULL};
    char line[NOISE_LINE_MAX];
    memset(line, 'x', sizeof line);
    noise_take(&n, line, sizeof line, put_line, &out);
    take(&n, "\r\n\n", &out);
    assert_int_equal(out.length, NOISE_LINE_MAX + 2 + 3);
    assert_string_equal(out.data + NOISE_LINE_MAX + 1, "][\n]");
    buf_done(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_flood), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_full)};
    return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
