// SPDX-License-Identifier: MIT
#include "referee/log.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

// What was written, with '#' for the digits of the times, which stand first in every line.
struct kept {
    FILE *file;
    char *text;
    size_t length;
};

static struct log *begin(struct kept *kept) {
    kept->file = open_memstream(&kept->text, &kept->length);
    assert_non_null(kept->file);
    return log_new(kept->file);
}

static void end(struct kept *kept, struct log *log, const char *wanted) {
    log_free(log);
    assert_int_equal(fclose(kept->file), 0);
    for (char *line = kept->text; *line; line += strcspn(line, "\n") + 1)
        for (char *c = line; c < line + 11; c++)
            *c = '#';
    if (wanted)
        assert_string_equal(kept->text, wanted);
    free(kept->text);
}

static void test_lines(void **state) {
    (void)state;
    struct kept kept;
    struct log *log = begin(&kept);
    log_note(log, "a game begins");
    log_bytes(log, "abp:./a", &wire_abp, true, "go id=1\nquit\n", 13);
    log_bytes(log, "abp:./a", &wire_abp, false, "move \xff\r\n\nhalf", 13);
    log_noise(log, "abp:./a", "thinking\n", 9);
    end(&kept, log,
        "########### --  a game begins\n"
        "########### -> abp:./a go id=1\n"
        "########### -> abp:./a quit\n"
        "########### <- abp:./a move \\xff\\x0d\n"
        "########### <- abp:./a \n"
        "########### <- abp:./a half\n"
        "########### !! abp:./a thinking\n");
}

static void test_integers(void **state) {
    (void)state;
    struct kept kept;
    struct log *log = begin(&kept);
    log_bytes(log, "tcp:7", &wire_stcp, true, "\0\0\0\0\0\0\0\0", 8);
    log_bytes(log, "tcp:7", &wire_stcp, false, "\1\0\0\0\xff\xff\xff\xff\0\0\0\x80", 12);
    log_bytes(log, "tcp:7", &wire_stcp, false, "\1\0\0\0\2\0", 6);
    end(&kept, log,
        "########### -> tcp:7 0 0 \n"
        "########### <- tcp:7 1 -1 -2147483648 \n"
        "########### <- tcp:7 1 \\x02\\x00\n");
}

// Long lines are cut, and standard error is kept up to 64 KiB.
static void test_limits(void **state) {
    (void)state;
    enum { MUCH = 3000, LINES = 40 };
    struct kept kept;
    struct log *log = begin(&kept);
    char line[MUCH + 1];
    memset(line, 'x', MUCH);
    log_bytes(log, "p", &wire_abp, false, line, MUCH);
    fflush(kept.file);
    assert_non_null(strstr(kept.text, "xxx...\n"));
    assert_int_equal(kept.length, strlen("########### <- p ") + 2000 + strlen("...\n"));
    line[MUCH - 1] = '\n';
    for (int i = 0; i < LINES; i++)
        log_noise(log, "p", line, MUCH);
    fflush(kept.file);
    assert_true(kept.length < 70000);
    assert_non_null(strstr(kept.text, "more of the players' standard error is not kept\n"));
    end(&kept, log, NULL);
}

static void test_no_log(void **state) {
    (void)state;
    log_note(NULL, "x");
    log_bytes(NULL, "p", &wire_abp, true, "x\n", 2);
    log_noise(NULL, "p", "x\n", 2);
    log_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_no_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
