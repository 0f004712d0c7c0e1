// SPDX-License-Identifier: MIT
// What `arbiter rules` answers, whole lines.
#include "cli/rules.h"

#include "base/mem.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static void check_answer(const char *game, const char *key, const char *value, const char *line,
                         const char *expected) {
    struct setup setup;
    setup_make(&setup, game, key, value);
    char *copy = strdup(line);
    move *scratch = mem_new((size_t)setup.game->moves_max, sizeof *scratch);
    json_t *answer = rules_answer(&setup, copy, scratch);
    char *text = json_dumps(answer, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(answer);
    free(scratch);
    free(copy);
}

static void test_states(void **state) {
    (void)state;
    check_answer("reversi", "board", "othello", "",
                 "{\"ply\":0,\"turn\":1,\"legal\":[\"2,3\",\"3,2\",\"4,5\",\"5,4\"],\"over\":false,"
                 "\"winner\":null,\"scores\":[0,0],\"reason\":\"\"}");
    check_answer("reversi", "board", "othello", " 2,3 ; 2,2",
                 "{\"ply\":2,\"turn\":1,\"legal\":[\"2,1\",\"3,2\",\"4,5\",\"5,4\"],\"over\":false,"
                 "\"winner\":null,\"scores\":[0,0],\"reason\":\"\"}");
    check_answer("cuptactoe", NULL, NULL, "3 0;3 3;3 1;3 4;2 2;",
                 "{\"ply\":5,\"turn\":0,\"legal\":[],\"over\":true,\"winner\":1,\"scores\":null,"
                 "\"reason\":\"line\"}");
    check_answer("cuptactoe", "max_turns", "1", "3 0",
                 "{\"ply\":1,\"turn\":0,\"legal\":[],\"over\":true,\"winner\":2,\"scores\":null,"
                 "\"reason\":\"turns\"}");
    check_answer("hopchess", "max_moves", "1", "pass;pass",
                 "{\"ply\":2,\"turn\":0,\"legal\":[],\"over\":true,\"winner\":0,\"scores\":[0,0],"
                 "\"reason\":\"moves\"}");
    check_answer("tower4", "pieces", "1", "0,2",
                 "{\"ply\":1,\"turn\":0,\"legal\":[],\"over\":true,\"winner\":0,\"scores\":[0,0],"
                 "\"reason\":\"pieces\"}");
}

static void test_errors(void **state) {
    (void)state;
    check_answer("reversi", NULL, NULL, "0,0",
                 "{\"error\":\"'0,0': the corners are not part of the board\",\"ply\":0}");
    check_answer("reversi", NULL, NULL, "1,1;1,1",
                 "{\"error\":\"'1,1': the square is taken\",\"ply\":1}");
    check_answer("reversi", NULL, NULL, "1,1;;1,2",
                 "{\"error\":\"'': there is no move between the separators\",\"ply\":1}");
    check_answer("reversi", NULL, NULL, "999999999999,1",
                 "{\"error\":\"'999999999999,1': row and column are 0..7\",\"ply\":0}");
    check_answer("reversi", NULL, NULL, "pass",
                 "{\"error\":\"'pass': a move is written \\\"r,c\\\", as in 2,3\",\"ply\":0}");
    check_answer("tower4", "pieces", "1", "0,2;0,3",
                 "{\"error\":\"'0,3': the game is over\",\"ply\":1}");
    check_answer("connect6", NULL, NULL, "\xff\x01",
                 "{\"error\":\"'?\?': a move is written "
                 "\\\"x,y\\\", one stone\",\"ply\":0}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
