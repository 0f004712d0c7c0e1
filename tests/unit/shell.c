// SPDX-License-Identifier: MIT
// Commands for the shell: which words are what, and where the shell makes room for the program.
#include "link/shell.h"

#include "check.h"

#include <string.h>

// A letter for each kind of word, in the order of the enum.
static void read_kinds(const char *command, char *kinds) {
    struct shell_reader reader = {.text = command};
    struct shell_token token;
    do {
        shell_next(&reader, &token);
        *kinds++ = ".acwrj?"[token.kind];
    } while (token.kind != SHELL_END && token.kind != SHELL_ODD);
    *kinds = '\0';
}

static void test_kinds(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "."},
        {"./p", "c."},
        {"  ./p\t-x  y ", "cww."},
        {"A=1 B='2 3' ./p A=1", "aacw."},
        {"cd x && ./p", "cwjc."},
        {"./a || ./b; ./c\n./d", "cjcjcjc."},
        {"./p <in 2>&1 >>'a b'", "crwrwrw."},
        {"<in ./p", "rwc."},
        {"./p $HOME/x ~/y *.c \"$X y\"", "cwwww."},
        {"./'my p' a\\ b \"c d\"", "cww."},
        {"./a | ./b", "c?"},
        {"./a &", "c?"},
        {"(./a)", "?"},
        {"./a $(ls)", "c?"},
        {"./a `ls`", "c?"},
        {"./a \"$(ls)\"", "c?"},
        {"./a ${X}", "c?"},
        {"if ./a; then ./b; fi", "?"},
        {"! ./a", "?"},
        {"{ ./a; }", "?"},
        {"'if' x", "cw."},
        {"./p # a remark", "c?"},
        {"./p <<END", "c?"},
        {"./p 'open", "c?"},
        {"./p >", "cr?"},
        {"./p \\", "c?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char kinds[64];
        read_kinds(cases[i][0], kinds);
        if (strcmp(kinds, cases[i][1]) != 0)
            fail_msg("%s: %s, not %s", cases[i][0], kinds, cases[i][1]);
    }
}

static void test_plain_words(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"./a", "./a"},
        {"./'my player'", "./my player"},
        {"'./my player' x", "./my player"},
        {"\"./it's\\\"\\a\"", "./it's\"\\a"},
        {"a\\ b", "a b"},
        {"''", ""},
        {"$a", NULL},
        {"\"$a\"", NULL},
        {"'$a'", "$a"},
        {"*.exe", NULL},
        {"~/p", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shell_reader reader = {.text = cases[i][0]};
        struct shell_token token;
        shell_next(&reader, &token);
        assert_int_equal(token.is_plain, cases[i][1] != NULL);
        if (cases[i][1])
            assert_string_equal(token.plain, cases[i][1]);
    }
}

static void test_long_words(void **state) {
    (void)state;
    char text[SHELL_WORD_MAX + 100];
    struct shell_reader reader = {.text = text};
    struct shell_token token;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    shell_next(&reader, &token);
    assert_int_equal(token.kind, SHELL_COMMAND);
    assert_int_equal(token.length, sizeof text - 1);
    assert_false(token.is_plain);
}

static void test_scripts(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"./p", "exec ./p"},
        {"FOO=1 ./p -x", "FOO=1 exec ./p -x"},
        {"cd x && ./p", "cd x && exec ./p"},
        {"cd x; ./p 2>log;", "cd x; exec ./p 2>log;"},
        {"./a || $HOME/b", "./a || exec $HOME/b"},
        {"exec ./p", "exec ./p"},
        {"./a; exit 3", "./a; exit 3"},
        {"./a; :", "./a; :"},
        {"FOO=1", "FOO=1"},
        {"./p | tee log", "./p | tee log"},
        {"for i in 1 2; do ./p; done", "for i in 1 2; do ./p; done"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf script = {.data = NULL};
        shell_put_script(&script, cases[i][0]);
        assert_string_equal(script.data, cases[i][1]);
        buf_done(&script);
    }
}

// Words joined by '|', or "" where a shell is needed.
static void test_words(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"./p", "./p"},
        {"  '/a b/arbiter' bot reversi --level 'strong'",
         "/a b/arbiter|bot|reversi|--level|strong"},
        {"./p \"x y\" a\\ b ''", "./p|x y|a b|"},
        {"/bin/p <in", ""},
        {"p -x", ""}, // found by the shell
        {"A=1 ./p", ""},
        {"./p *.c", ""},
        {"./p $HOME", ""},
        {"./p ~/x", ""},
        {"./a; ./b", ""},
        {"cd x && ./p", ""},
        {"./a | ./b", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf joined = {.data = NULL};
        char **words = shell_words(cases[i][0]);
        buf_text(&joined, "");
        for (char **w = words; w && *w; w++)
            buf_format(&joined, "%s%s", w == words ? "" : "|", *w);
        assert_string_equal(joined.data ? joined.data : "", cases[i][1]);
        shell_words_free(words);
        buf_done(&joined);
    }
}

static void test_quoted(void **state) {
    (void)state;
    struct buf out = {.data = NULL};
    shell_put_quoted(&out, "it's $HOME");
    assert_string_equal(out.data, "'it'\\''s $HOME'");
    buf_done(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_plain_words),
        cmocka_unit_test(test_long_words), cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_quoted),     cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests_name("shell", tests, NULL, NULL);
}
