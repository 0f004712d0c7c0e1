// SPDX-License-Identifier: MIT
// Positions of games of the connect6 engine: the wins by force in tests/data/connect6/wins.txt hold
// against every defence and are found again; where the solver found none, the engine claims no end
// that does not hold. Every tenth position is tried, with the sanitizers every thirtieth; in
// `./test long` all, or every tenth.
#include "base/clock.h"
#include "base/rng.h"
#include "check.h"
#include "engine/connect6/search.h"
#include "proof6.h"
#include "share.h"
#include "write_proof6.h"

enum {
    NODES = 400000, // for half a second or so
    QUIET_NODES = 20000,
    SECOND_US = 1000000,
    WANTED = 300,
    DEEP_TURNS = 7,
    DEEP_WANTED = 25,
    FREE_WANTED = 6, // wins that leave the defender a free stone
    DEFENCES = 10,   // random turns that are tried where a player is said to have lost
    FORCED = 9000,   // a value beyond is an end by force
};

struct reader {
    FILE *file;
    char *line;
    size_t room;
    int count; // lines read
    struct ruleset rules;
    union game_state state;
    struct brain *brain;
};

static void open_data(struct reader *r, const char *name) {
    const char *folder = getenv("TEST_DATA");
    char path[512];
    snprintf(path, sizeof path, "%s/connect6/%s", folder ? folder : "tests/data", name);
    *r = (struct reader){.file = fopen(path, "r")};
    if (!r->file)
        fail_msg("cannot open %s", path);
    ruleset_init(&r->rules, game_find("connect6"));
    r->brain = brain_new(&r->rules, LEVEL_STRONG, 1, 1);
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
    r->count++;
    return true;
}

// Is this line one of those that are tried?
static bool is_tried(const struct reader *r) { return (r->count - 1) % test_part() == 0; }

static void lay(struct reader *r, const char *position) {
    char why[WHY_TEXT_MAX];
    if (!r->rules.game->start(&r->state, &r->rules, position, why))
        fail_msg("%s: %s", position, why);
}

// Does the tree win against everything, in so many turns at most?
static void check_tree(struct reader *r, const char *tree, int turns) {
    const char *at = tree;
    struct proof_check check = {.game = r->rules.game, .attacker = r->rules.game->turn(&r->state)};
    struct proof_node *node = proof_read(&at);
    assert_non_null(node);
    if (!proof_try(&check, node, &r->state))
        fail_msg("%s\n%s", check.why, tree);
    if (proof_turns(node) > turns)
        fail_msg("not won in %d turns: %s", turns, tree);
    proof_free(node);
}

static void test_wins_hold(void **state) {
    (void)state;
    struct reader r;
    int deep = 0, with_free = 0;
    open_data(&r, "wins.txt");
    while (next_line(&r)) {
        char *position = strchr(r.line, '\t') + 1, *tree = strchr(position, '\t');
        *tree++ = '\0';
        const int turns = atoi(r.line);
        assert_true(turns >= 2 && turns <= 9);
        deep += turns >= DEEP_TURNS;
        with_free += strchr(tree, '*') != NULL;
        lay(&r, position);
        if (is_tried(&r))
            check_tree(&r, tree, turns);
    }
    assert_true(r.count >= WANTED);
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
        if (!is_tried(&r))
            continue;
        lay(&r, position);
        const int64_t begin = clock_cpu_us();
        brain_think(r.brain, &r.state, &limits, &t);
        const int64_t used = clock_cpu_us() - begin;
        if (!t.exact || t.value < FORCED)
            fail_msg("not found: %s", position);
        if (used > SECOND_US)
            fail_msg("%.2f s: %s", (double)used / SECOND_US, position);
    }
    close_data(&r);
}

// The turns of the winner until the end, where a value is an end by force.
static int turns_of(int value) { return (VALUE_WIN - abs(value) + 1) / 2; }

// Writes a proof of a win by threats of the player to move; false if the solver finds none.
static bool write_proof(struct reader *r, struct buf *tree) {
    static struct line_kinds lines;
    static struct board6 board;
    const struct limits none = {.nodes = 0};
    struct stop stop;
    uint64_t nodes = 0;
    lines_init(&lines, true);
    stop_init(&stop, &none);
    board_init(&board, &r->rules, &lines);
    board_read(&board, &r->rules, &r->state);
    struct solver *solver = solver_new(&board, &stop, &nodes);
    struct quest quest = {.attacker = board_turn(&board),
                          .stones = board_due(&board),
                          .depth = SOLVER_DEPTH_MAX,
                          .budget = 1000000};
    bool proven = false;
    for (int singles = 0; singles < 2 && !proven; singles++) {
        quest.singles = singles;
        buf_clear(tree);
        proven = proof_write(solver, &board, &quest, 2000, tree);
    }
    solver_free(solver);
    return proven;
}

static void play(struct reader *r, const struct thought *t) {
    const struct game *game = r->rules.game;
    const int mover = game->turn(&r->state);
    for (int i = 0; i < t->length && game->turn(&r->state) == mover; i++)
        assert_null(game_play(game, &r->state, t->pv[i]));
}

static void check_loss(struct reader *r, const struct thought *claim, struct rng *rng);

// The player to move is said to win: by a proof that is tried against everything, or, where his
// turn makes no threats, because the other has lost then.
static void check_win(struct reader *r, const struct thought *claim, struct rng *rng) {
    struct buf tree = {.data = NULL};
    if (write_proof(r, &tree)) {
        check_tree(r, tree.data, turns_of(claim->value));
    } else {
        struct thought next = {.value = 1 - claim->value, .exact = true};
        play(r, claim);
        check_loss(r, &next, rng);
    }
    buf_done(&tree);
}

// After a turn the other must see his win, as early as was said, and be right.
static void check_defence(struct reader *r, const struct thought *turn, int turns,
                          struct rng *rng) {
    const union game_state before = r->state;
    const struct game *game = r->rules.game;
    const struct limits limits = {.nodes = NODES};
    const int winner = 3 - game->turn(&r->state);
    struct thought t;
    char text[STATE_TEXT_MAX];
    play(r, turn);
    game->write_state(&r->state, text);
    if (!game_is_over(game, &r->state)) {
        brain_think(r->brain, &r->state, &limits, &t);
        if (!t.exact || t.value < FORCED || turns_of(t.value) > turns)
            fail_msg("said to be won in %d turns, and is not: %s", turns, text);
        check_win(r, &t, rng);
    } else {
        assert_int_equal(game->outcome(&r->state).winner, winner);
    }
    r->state = before;
}

// The player to move is said to have lost: not with the best turn of a deeper search, nor with some
// at random.
static void check_loss(struct reader *r, const struct thought *claim, struct rng *rng) {
    const struct game *game = r->rules.game;
    const struct limits limits = {.nodes = NODES};
    const int turns = turns_of(claim->value);
    struct thought t;
    brain_think(r->brain, &r->state, &limits, &t);
    check_defence(r, &t, turns, rng);
    for (int i = 0; i < DEFENCES; i++) {
        const int count = game->count(&r->state);
        t = (struct thought){.length = 2};
        t.pv[0] = game->nth(&r->state, (int)rng_below(rng, (uint32_t)count));
        do
            t.pv[1] = game->nth(&r->state, (int)rng_below(rng, (uint32_t)count));
        while (t.pv[1] == t.pv[0]);
        check_defence(r, &t, turns, rng);
    }
}

static void test_quiet_positions(void **state) {
    (void)state;
    const struct limits limits = {.nodes = QUIET_NODES};
    struct rng rng = {13};
    struct reader r;
    int won = 0, lost = 0;
    open_data(&r, "quiet.txt");
    while (next_line(&r)) {
        struct thought t;
        if (!is_tried(&r))
            continue;
        lay(&r, r.line);
        brain_think(r.brain, &r.state, &limits, &t);
        if (!t.exact) {
            assert_true(abs(t.value) < FORCED);
        } else if (t.value > 0) {
            check_win(&r, &t, &rng);
            won++;
        } else {
            check_loss(&r, &t, &rng);
            lost++;
        }
    }
    assert_true(r.count >= WANTED);
    print_message("# %d said to be won, %d lost\n", won, lost);
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
