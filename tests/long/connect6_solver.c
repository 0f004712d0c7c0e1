// SPDX-License-Identifier: MIT
// What the connect6 solver claims as won is won, under every ruleset, on positions of random games:
// its proofs hold against every defence; and where few cells are empty, trying everything agrees,
// on what it claims as lost too. With the sanitizers a tenth as many are looked for.
#include "engine/connect6/loss.h"

#include "base/rng.h"
#include "brute6.h"
#include "check.h"
#include "proof6.h"
#include "share.h"
#include "write_proof6.h"

static const struct {
    const char *overline, *count, *size;
    int doubles, singles; // proofs wanted, without free stones and with
} cases[] = {
    {"lose", "both", "9", 60, 10},  {"lose", "neither", "8", 40, 4},
    {"ignore", "both", "9", 30, 4}, {"ignore", "neither", "7", 20, 0},
    {"win", "both", "9", 30, 4},    {"win", "neither", "8", 30, 4},
    {"lose", "both", "7", 40, 2},
};

enum { CASES = sizeof cases / sizeof *cases, NODES_MAX = 60, TRIES = 100000 };

struct bench {
    struct line_kinds lines;
    struct board6 board;
    struct stop stop;
    uint64_t nodes;
    struct solver *solver;
    struct searcher *searcher; // for losses; has a board of its own
    struct ruleset rules;
};

static void set_rule(struct ruleset *rules, const char *key, const char *value) {
    char why[WHY_TEXT_MAX];
    if (!ruleset_set(rules, key, value, why))
        fail_msg("%s=%s: %s", key, value, why);
}

// Blocks in a row somewhere, or apart.
static void set_blocks(struct ruleset *rules, int size, struct rng *rng) {
    char blocks[RULE_TEXT_MAX] = "";
    const int count = 2 * (int)rng_below(rng, 6);
    const int first = (int)rng_below(rng, (uint32_t)(size * size));
    const int steps[] = {1, 2, 3, size, size + 1};
    const int step = steps[rng_below(rng, 5)];
    for (int i = 0; i < count; i++) {
        const int at = (first + i * step) % (size * size);
        snprintf(blocks + strlen(blocks), sizeof blocks - strlen(blocks), "%s%d,%d", i ? " " : "",
                 at % size, at / size);
    }
    char why[WHY_TEXT_MAX];
    if (count == 0 || !ruleset_set(rules, "blocks", blocks, why))
        set_rule(rules, "blocks", "none");
}

static void bench_init(struct bench *b, int number) {
    const struct limits none = {.nodes = 0};
    ruleset_init(&b->rules, game_find("connect6"));
    set_rule(&b->rules, "overline", cases[number].overline);
    set_rule(&b->rules, "blocks_count", cases[number].count);
    set_rule(&b->rules, "size", cases[number].size);
    lines_init(&b->lines, strcmp(cases[number].overline, "win") != 0);
    stop_init(&b->stop, &none);
    b->nodes = 0;
    b->solver = solver_new(&b->board, &b->stop, &b->nodes);
    b->searcher = searcher_new(NULL, &b->stop);
}

static void bench_done(struct bench *b) {
    solver_free(b->solver);
    searcher_free(b->searcher);
}

// How many of what the plain build looks for in `./test long`.
static int share_of(int count) { return (count + test_part() - 1) / test_part(); }

// Some plies of a random game; false if it ended.
static bool play_some(const struct ruleset *rules, union game_state *state, int plies,
                      struct rng *rng) {
    char why[WHY_TEXT_MAX];
    if (!rules->game->start(state, rules, NULL, why))
        return false;
    for (int i = 0; i < plies && !game_is_over(rules->game, state); i++)
        rules->game->apply(
            state,
            rules->game->nth(state, (int)rng_below(rng, (uint32_t)rules->game->count(state))));
    return !game_is_over(rules->game, state);
}

// Returns 1 if a win in two turns or more was claimed and holds; with singles, one that needs them.
static int try_position(struct bench *b, const union game_state *state, bool singles) {
    struct buf tree = {.data = NULL};
    board_init(&b->board, &b->rules, &b->lines);
    board_read(&b->board, &b->rules, state);
    struct quest quest = {.attacker = board_turn(&b->board),
                          .stones = board_due(&b->board),
                          .depth = 6,
                          .singles = singles,
                          .budget = 3000};
    struct forced forced;
    solver_forget(b->solver);
    int found = 0;
    if (solver_win(b->solver, &quest, &forced) && forced.turns > 1 &&
        proof_write(b->solver, &b->board, &quest, NODES_MAX, &tree) &&
        (!singles || strchr(tree.data, '*'))) {
        const char *at = tree.data;
        struct proof_check check = {.game = b->rules.game, .attacker = quest.attacker + 1};
        struct proof_node *node = proof_read(&at);
        assert_non_null(node);
        if (!proof_try(&check, node, state))
            fail_msg("%s\n%s", check.why, tree.data);
        proof_free(node);
        found = 1;
    }
    buf_done(&tree);
    return found;
}

static void test_claims_hold(void **unused) {
    (void)unused;
    static struct bench b;
    struct rng rng = {11};
    for (int i = 0; i < CASES; i++)
        for (int singles = 0; singles < 2; singles++) {
            const int wanted = share_of(singles ? cases[i].singles : cases[i].doubles);
            int found = 0;
            bench_init(&b, i);
            for (int k = 0; k < TRIES && found < wanted; k++) {
                union game_state state;
                const int size = b.rules.number[0];
                set_blocks(&b.rules, size, &rng);
                if (play_some(&b.rules, &state, (int)rng_below(&rng, (uint32_t)(size * size / 2)),
                              &rng))
                    found += try_position(&b, &state, singles);
            }
            if (found < wanted)
                fail_msg("overline=%s size=%s singles=%d: only %d found", cases[i].overline,
                         cases[i].size, singles, found);
            bench_done(&b);
        }
}

enum { EMPTY_MIN = 10, EMPTY_MAX = 14, CLAIMS = 15, LOSSES = 4, OTHERS = 15, LATE_TRIES = 400000 };

// Of positions of a kind: how many are wanted, were found, and are won by the attacker.
struct kind_tally {
    int wanted, found, won;
};

// A position with few empty cells, where a turn of two stones begins; false if there is none.
static bool play_late(struct bench *b, union game_state *state, struct rng *rng) {
    char why[WHY_TEXT_MAX];
    set_blocks(&b->rules, b->rules.number[0], rng);
    if (!b->rules.game->start(state, &b->rules, NULL, why))
        return false;
    const int cells = b->rules.game->count(state);
    const int left = EMPTY_MIN + (int)rng_below(rng, EMPTY_MAX - EMPTY_MIN + 1);
    const int plies = (cells - left) | 1;
    return play_some(&b->rules, state, plies, rng);
}

static bool claims(struct bench *b, const union game_state *state, struct forced *forced) {
    board_init(&b->board, &b->rules, &b->lines);
    board_read(&b->board, &b->rules, state);
    struct quest quest = {.attacker = board_turn(&b->board), .stones = 2, .depth = 6};
    for (int singles = 0; singles < 2; singles++) {
        quest.singles = singles;
        quest.budget = 3000;
        solver_forget(b->solver);
        if (solver_win(b->solver, &quest, forced))
            return true;
    }
    return false;
}

static bool claims_loss(struct bench *b, const union game_state *state) {
    struct searcher *s = b->searcher;
    struct loss loss;
    board_init(&s->board, &b->rules, &b->lines);
    board_read(&s->board, &b->rules, state);
    solver_forget(s->solver);
    return loss_find(s, 1 - board_turn(&s->board), 2, 20000, &loss);
}

enum { KIND_WON, KIND_LOST, KIND_OTHER, KINDS_OF_CLAIMS };

static bool is_full(const struct kind_tally tally[KINDS_OF_CLAIMS]) {
    for (int i = 0; i < KINDS_OF_CLAIMS; i++)
        if (tally[i].found < tally[i].wanted)
            return false;
    return true;
}

// What is claimed of a position: a win in two turns or more, a loss, or nothing; -1 for wins that
// all see.
static int kind_of(struct bench *b, const union game_state *state) {
    struct forced forced;
    if (claims(b, state, &forced))
        return forced.turns < 2 ? -1 : KIND_WON;
    return claims_loss(b, state) ? KIND_LOST : KIND_OTHER;
}

// Claims, and as many positions without one: there the solver may overlook a win, so these are only
// counted.
static void compare(struct bench *b, struct brute *brute, struct rng *rng,
                    struct kind_tally tally[KINDS_OF_CLAIMS]) {
    for (int k = 0; k < LATE_TRIES && !is_full(tally); k++) {
        union game_state state;
        char text[STATE_TEXT_MAX];
        if (!play_late(b, &state, rng))
            continue;
        const int kind = kind_of(b, &state), player = b->rules.game->turn(&state);
        if (kind < 0 || tally[kind].found == tally[kind].wanted)
            continue;
        const bool won = brute_wins(brute, kind == KIND_LOST ? 3 - player : player, &state);
        b->rules.game->write_state(&state, text);
        if (kind != KIND_OTHER && !won)
            fail_msg("claimed as %s, and is not: %s", kind == KIND_WON ? "won" : "lost", text);
        tally[kind].found++;
        tally[kind].won += won;
    }
}

static void test_brute_force_agrees(void **unused) {
    (void)unused;
    static struct bench b;
    struct brute brute;
    struct rng rng = {12};
    brute_init(&brute, game_find("connect6"));
    for (int i = 0; i < CASES; i++) {
        struct kind_tally tally[KINDS_OF_CLAIMS] = {
            {share_of(CLAIMS), 0, 0}, {share_of(LOSSES), 0, 0}, {share_of(OTHERS), 0, 0}};
        bench_init(&b, i);
        compare(&b, &brute, &rng, tally);
        print_message("# overline=%s blocks_count=%s size=%s: %d wins and %d losses claimed and "
                      "true, %d of %d others won too\n",
                      cases[i].overline, cases[i].count, cases[i].size, tally[KIND_WON].won,
                      tally[KIND_LOST].won, tally[KIND_OTHER].won, tally[KIND_OTHER].found);
        for (int k = 0; k < KINDS_OF_CLAIMS; k++)
            assert_int_equal(tally[k].found, tally[k].wanted);
        bench_done(&b);
    }
    brute_done(&brute);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_hold),
        cmocka_unit_test(test_brute_force_agrees),
    };
    return cmocka_run_group_tests_name("connect6_solver", tests, NULL, NULL);
}
