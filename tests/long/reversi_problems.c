// SPDX-License-Identifier: MIT
// Othello endgames with known values: each is found, by a move that has it in the file.
#include "check.h"

#include "base/lines.h"
#include "base/mem.h"
#include "engine/reversi/obf.h"
#include "engine/reversi/think.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 40, EMPTIES_MAX = 20 }; // it is slow there
#else
enum { EVERY = 1, EMPTIES_MAX = 26 };
#endif

static struct lines *open_file(const char *name) {
    char path[4096];
    struct lines *lines = mem_new(1, sizeof *lines);
    snprintf(path, sizeof path, "%s/othello/%s", getenv("TEST_DATA"), name);
    lines->file = fopen(path, "r");
    assert_non_null(lines->file);
    return lines;
}

static void solve(struct reversi_mind *mind, const struct obf *obf, int number) {
    struct thought t;
    int best, listed;
    reversi_think(mind, &obf->board, UINT64_MAX, &(struct limits){0}, &t);
    assert_true(t.exact);
    assert_true(obf_best(obf, &best));
    if (t.value != best || !obf_value(obf, (int)t.pv[0], &listed) || listed != best)
        fail_msg("line %d: %d by square %d, not %d", number, t.value, (int)t.pv[0], best);
}

// Solves those of a file from one line to another that are not too large.
static void solve_file(const char *name, int first, int last, int every) {
    const struct variant *v = &variants[BOARD_OTHELLO];
    struct reversi_mind *mind = reversi_new(v, true, 1);
    struct lines *lines = open_file(name);
    for (int number = 1; lines_next(lines) && number <= last; number++) {
        struct obf obf;
        assert_null(obf_read(lines->text, v, &obf));
        if (number >= first && number % every == 0 && board_empties(&obf.board, v) <= EMPTIES_MAX)
            solve(mind, &obf, number);
    }
    fclose(lines->file);
    free(lines);
    reversi_free(mind);
}

static void test_fforum_20_39(void **state) {
    (void)state;
    solve_file("fforum-20-39.obf", 1, 20, EVERY > 1 ? 5 : 1);
}

static void test_fforum_40_44(void **state) {
    (void)state;
    solve_file("fforum-40-59.obf", 1, 5, EVERY > 1 ? 5 : 1);
}

static void test_hard_20(void **state) {
    (void)state;
    solve_file("hard-20.obf", 1, 276, EVERY > 1 || getenv("TEST_LONG") ? EVERY : 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fforum_20_39),
        cmocka_unit_test(test_fforum_40_44),
        cmocka_unit_test(test_hard_20),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
