// SPDX-License-Identifier: MIT
// Positions of games of the connect6 engine: the wins by force in tests/data/connect6/wins.txt hold
// against every defence and are found again; where the solver found none, the engine claims none
// that does not hold.
#include "base/clock.h"
#include "check.h"
#include "engine/connect6/proof.h"
#include "proof6.h"

enum {
    NODES = 400000, // for half a second or so
    QUIET_NODES = 20000,
    SECOND_US = 1000000,
    WANTED = 300,
    DEEP_TURNS = 7,
    DEEP_WANTED = 25,
    FREE_WANTED = 7, // wins that leave the defender a free stone
};

struct reader {
    FILE *file;
    char *line;
    size_t room;
    struct ruleset rules;
    union game_state state;
    struct brain *brain;
};

static void open_data(struct reader *r, const char *name) {
    const char *folder = getenv("TEST_DATA");
    char path[512];
    struct err err = {.set = false};
    snprintf(path, sizeof path, "%s/connect6/%s", folder ? folder : "tests/data", name);
    *r = (struct reader){.file = fopen(path, "r")};
    if (!r->file)
        fail_msg("cannot open %s", path);
    ruleset_init(&r->rules, game_find("connect6"));
    r->brain = brain_new(&r->rules, LEVEL_STRONG, 1, 1, &err);
}

static void close_data(struct reader *r) {
    fclose(r->file);
    free(r->line);
    brain_free(r->brain);
}

static bool next_line(struct reader *r) {
    if (getline(&r->line, &r->room, r->file) <= 0)
        return false;
    r->line[strcspn(r->line, "\n")] = '\0';
    return true;
}

static void lay(struct reader *r, const char *position) {
    char why[WHY_TEXT_MAX];
    if (!r->rules.game->start(&r->state, &r->rules, position, why))
        fail_msg("%s: %s", position, why);
}

static void check_tree(struct reader *r, const char *tree) {
    const char *at = tree;
    struct proof_check check = {.game = r->rules.game, .attacker = r->rules.game->turn(&r->state)};
    struct proof_node *node = proof_read(&at);
    assert_non_null(node);
    if (!proof_try(&check, node, &r->state))
        fail_msg("%s\n%s", check.why, tree);
    proof_free(node);
}

static void test_wins_hold(void **state) {
    (void)state;
    struct reader r;
    int count = 0, deep = 0, with_free = 0;
    open_data(&r, "wins.txt");
    for (; next_line(&r); count++) {
        char *position = strchr(r.line, '\t') + 1, *tree = strchr(position, '\t');
        *tree++ = '\0';
        const int turns = atoi(r.line);
        assert_true(turns >= 2 && turns <= 9);
        deep += turns >= DEEP_TURNS;
        with_free += strchr(tree, '*') != NULL;
        lay(&r, position);
        check_tree(&r, tree);
    }
    assert_true(count >= WANTED);
    assert_true(deep >= DEEP_WANTED);
    assert_true(with_free >= FREE_WANTED);
    close_data(&r);
}

static void test_wins_are_found(void **state) {
    (void)state;
    const struct limits limits = {.nodes = NODES};
    struct reader r;
    open_data(&r, "wins.txt");
    while (next_line(&r)) {
        struct thought t;
        char *position = strchr(r.line, '\t') + 1;
        *strchr(position, '\t') = '\0';
        lay(&r, position);
        const int64_t begin = clock_cpu_us();
        brain_think(r.brain, &r.state, &limits, &t);
        const int64_t used = clock_cpu_us() - begin;
        if (!t.exact || t.value < 9000)
            fail_msg("not found: %s", position);
        if (used > SECOND_US)
            fail_msg("%.2f s: %s", (double)used / SECOND_US, position);
    }
    close_data(&r);
}

// A proof of what the engine claims there.
static void check_claim(struct reader *r) {
    static struct lines lines;
    static struct board board;
    const struct limits none = {.nodes = 0};
    struct stop stop;
    uint64_t nodes = 0;
    struct buf tree = {.data = NULL};
    lines_init(&lines, true);
    stop_init(&stop, &none);
    board_init(&board, &r->rules, &lines, &connect6_weights);
    board_read(&board, &r->rules, &r->state);
    struct solver *solver = solver_new(&board, &stop, &nodes);
    struct quest quest = {.attacker = board_turn(&board),
                          .stones = board_due(&board),
                          .depth = SOLVER_DEPTH_MAX,
                          .budget = 10000000};
    bool proven = false;
    for (int singles = 0; singles < 2 && !proven; singles++) {
        quest.singles = singles;
        buf_clear(&tree);
        proven = proof_write(solver, &board, &quest, 2000, &tree);
    }
    assert_true(proven);
    check_tree(r, tree.data);
    buf_done(&tree);
    solver_free(solver);
}

static void test_quiet_positions(void **state) {
    (void)state;
    const struct limits limits = {.nodes = QUIET_NODES};
    struct reader r;
    int count = 0;
    open_data(&r, "quiet.txt");
    for (; next_line(&r); count++) {
        struct thought t;
        lay(&r, r.line);
        brain_think(r.brain, &r.state, &limits, &t);
        if (t.exact && t.value > 0)
            check_claim(&r);
    }
    assert_true(count >= WANTED);
    close_data(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wins_hold),
        cmocka_unit_test(test_wins_are_found),
        cmocka_unit_test(test_quiet_positions),
    };
    return cmocka_run_group_tests_name("connect6_data", tests, NULL, NULL);
}
