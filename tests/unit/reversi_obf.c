// SPDX-License-Identifier: MIT
#include "engine/reversi/obf.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

static const struct {
    enum board_kind kind;
    const char *line, *why; // why: NULL if it is a position
} cases[] = {
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- X; F5:+0;",
     NULL},
    {BOARD_OTHELLO, "...........................OX......XO........................... o;", NULL},
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- X", NULL},
    {BOARD_OTHELLO,
     "---------------------------OX------XO--------------------------- X; --:-127; F5:0", NULL},
    {BOARD_OPEN, "#------#-------------------------------------------------------- X;", NULL},
    {BOARD_OPEN, "................................................................ O; A1:+3;",
     "one of the moves is not legal there"},
    {BOARD_OPEN, "X--------------------------------------------------------------- X;",
     "there is a disc on a corner, which is not part of the open board"},
    {BOARD_OTHELLO, "#--------------------------OX------XO--------------------------- X;",
     "a position is 64 squares, each X, O, - or ."},
    {BOARD_OTHELLO, "---------------------------OX------XO--- X;",
     "a position is 64 squares, each X, O, - or ."},
    {BOARD_OTHELLO, "X", "a position is 64 squares, each X, O, - or ."},
    {BOARD_OTHELLO, "---------------------------OX------XO---------------------------",
     "after the squares stands who moves, X or O"},
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- -;",
     "after the squares stands who moves, X or O"},
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- X F5:+0;",
     "after who moves stands ;"},
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- X; I5:+0;",
     "a move is written as in H5:+6;"},
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- X; F",
     "a move is written as in H5:+6;"},
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- X; F5:x;",
     "a move's value is a number, as in H5:+6;"},
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- X; F5:999;",
     "a move's value is a number, as in H5:+6;"},
    {BOARD_OTHELLO, "---------------------------OX------XO--------------------------- X; F5:1 F6:1",
     "moves are separated by ;"},
    {BOARD_OTHELLO, "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X;",
     "the board is full"},
    {BOARD_OTHELLO, "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX-------- X;",
     "the game is over: nobody can move"},
};

static void test_lines(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct obf obf;
        const char *why = obf_read(cases[i].line, &variants[cases[i].kind], &obf);
        if (!why != !cases[i].why || (why && strcmp(why, cases[i].why) != 0))
            fail_msg("%s: %s", cases[i].line, why ? why : "no complaint");
    }
}

static void test_values(void **state) {
    (void)state;
    struct obf obf;
    int value;
    char text[3];
    assert_null(obf_read("---------------------------OX------XO--------------------------- X; "
                         "F5:-4; C4:+2; --:-127;",
                         &variants[BOARD_OTHELLO], &obf));
    assert_int_equal(obf.board.own, variants[BOARD_OTHELLO].start.own);
    assert_int_equal(obf.count, 2);
    assert_true(obf_best(&obf, &value));
    assert_int_equal(value, 2);
    assert_true(obf_value(&obf, 4 * 8 + 5, &value));
    assert_int_equal(value, -4);
    assert_false(obf_value(&obf, 0, &value));
    obf_write_square(4 * 8 + 5, text);
    assert_string_equal(text, "F5");
}

static void test_passes(void **state) {
    (void)state;
    struct obf obf;
    // X has no move; O has one.
    assert_null(obf_read("-XXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X;",
                         &variants[BOARD_OTHELLO], &obf));
    assert_int_equal(board_moves(&obf.board, &variants[BOARD_OTHELLO]), 0);
    assert_false(obf_best(&obf, &(int){0}));
}

static void test_remarks(void **state) {
    (void)state;
    assert_true(obf_is_remark(""));
    assert_true(obf_is_remark("  \t\r\n"));
    assert_true(obf_is_remark("% a remark"));
    assert_false(obf_is_remark("X"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_remarks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
