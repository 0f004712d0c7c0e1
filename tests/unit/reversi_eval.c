// SPDX-License-Identifier: MIT
#include "engine/reversi/eval.h"

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "engine/reversi/turns.h"
#include "engine/reversi/view.h"
#include "train/reversi/exact.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES = 20 };

// Calls `look` at every position of some random games.
static void wander(enum board_kind kind, void (*look)(const struct board *, void *), void *with) {
    struct rng rng = {3};
    const struct variant *v = &variants[kind];
    for (int i = 0; i < GAMES; i++) {
        struct board b = v->start;
        for (int passes = 0; passes < 2;) {
            const uint64_t moves = board_moves(&b, v);
            passes = moves ? 0 : passes + 1;
            look(&b, with);
            if (moves) {
                const int x = bits_nth(moves, (int)rng_below(&rng, (uint32_t)bits_count(moves)));
                b = board_play(&b, x, board_flips(&b, x));
            } else {
                b = board_pass(&b);
            }
        }
    }
}

// An evaluation with random weights in all stages.
static struct eval *random_eval(enum board_kind kind) {
    struct eval *eval = eval_empty(kind);
    const uint32_t kept = eval->patterns.kept;
    float *weights = mem_new(kept, sizeof *weights);
    struct rng rng = {8};
    for (int stage = 0; stage < eval->patterns.stages; stage++) {
        for (uint32_t i = 0; i < kept; i++)
            weights[i] = (float)((int)rng_below(&rng, 2001) - 1000) / 2000;
        eval_set_stage(eval, stage, weights);
    }
    free(weights);
    return eval;
}

static void look_symmetric(const struct board *b, void *eval) {
    const int score = eval_score(eval, b);
    for (int i = 1; i < 8; i++) {
        const struct board turned = {turn(b->own, i), turn(b->other, i)};
        assert_int_equal(eval_score(eval, &turned), score);
    }
}

// Step by step the view is the same as from the board.
static void look_steps(const struct board *b, void *context) {
    const struct eval *eval = context;
    struct pattern_view view;
    view_make(&eval->patterns, b, &view);
    for (uint64_t moves = board_moves(b, &eval->patterns.variant); moves; moves &= moves - 1) {
        const int x = bits_first(moves);
        const uint64_t flips = board_flips(b, x);
        const struct board next = board_play(b, x, flips);
        struct pattern_view stepped;
        view_step(&eval->patterns, &view, x, flips, &stepped);
        assert_memory_equal(&stepped.board, &next, sizeof next);
        assert_int_equal(eval_view_score(eval, &stepped), eval_score(eval, &next));
    }
}

static void test_steps(void **state) {
    (void)state;
    for (int kind = 0; kind < BOARD_KINDS; kind++) {
        struct eval *eval = random_eval((enum board_kind)kind);
        wander((enum board_kind)kind, look_steps, eval);
        eval_free(eval);
    }
}

static void test_symmetric(void **state) {
    (void)state;
    for (int kind = 0; kind < BOARD_KINDS; kind++) {
        struct eval *eval = random_eval((enum board_kind)kind);
        wander((enum board_kind)kind, look_symmetric, eval);
        eval_free(eval);
    }
}

// The sum is that of the weights found.
static void look_sums(const struct board *b, void *with) {
    const struct patterns *p = with;
    int16_t *all = mem_new(p->size, sizeof *all);
    struct pattern_view view;
    uint32_t found[FOUND_MAX];
    struct rng rng = {b->own ^ b->other};
    int sum = 0;
    for (uint32_t i = 0; i < p->size; i++)
        all[i] = (int16_t)((int)rng_below(&rng, 2001) - 1000);
    view_make(p, b, &view);
    const int count = patterns_find(p, &view, found);
    for (int i = 0; i < count; i++) {
        assert_true(found[i] < p->size && p->kept_of[found[i]] < p->kept);
        sum += all[found[i]];
    }
    assert_int_equal(view_sum(p, &view, all), sum);
    free(all);
}

static void test_sums(void **state) {
    (void)state;
    for (int kind = 0; kind < BOARD_KINDS; kind++) {
        struct patterns *p = patterns_new((enum board_kind)kind);
        wander((enum board_kind)kind, look_sums, p);
        free(p->kept_of);
        free(p);
    }
}

// A row: 4 places, mirrored states share a weight, and its number in base 3.
static void test_one_pattern(void **state) {
    (void)state;
    static const char *const row[] = {"a2 b2 c2 d2 e2 f2 g2 h2", NULL};
    struct patterns *p = patterns_new_of(BOARD_OTHELLO, row);
    struct pattern_view view;
    uint32_t found[FOUND_MAX];
    assert_int_equal(p->places, 4);
    assert_int_equal(p->counts_begin, 6561);
    assert_int_equal(p->kept - (p->size - p->counts_begin), (6561 + 81) / 2);
    const struct board b = {UINT64_C(0x0100), UINT64_C(0x8000)}; // a2, h2
    view_make(p, &b, &view);
    patterns_find(p, &view, found);
    assert_int_equal(found[0], 1 + 2 * 2187);
    assert_int_equal(p->kept_of[1 + 2 * 2187], p->kept_of[2 + 2187]);
    assert_int_not_equal(p->kept_of[1], p->kept_of[2]);
    free(p->kept_of);
    free(p);
}

static void test_turns(void **state) {
    (void)state;
    const uint64_t b2 = bit(9), c1 = bit(2);
    assert_true(turn_rows(c1) == bit(58) && turn_columns(c1) == bit(5));
    assert_true(turn_diagonal(c1) == bit(16) && turn_diagonal(b2) == b2);
    assert_true(turn(c1, 5) == turn_rows(turn_diagonal(c1)));
}

static void look_same(const struct board *b, void *with) {
    struct eval **pair = with;
    assert_int_equal(eval_score(pair[0], b), eval_score(pair[1], b));
}

static void test_packed(void **state) {
    (void)state;
    struct buf packed = {.data = NULL};
    struct err err = {.set = false};
    struct eval *pair[2] = {random_eval(BOARD_OPEN), NULL};
    eval_pack(pair[0], &packed);
    pair[1] = eval_unpack(BOARD_OPEN, packed.data, packed.length, &err);
    assert_non_null(pair[1]);
    wander(BOARD_OPEN, look_same, pair);
    assert_null(eval_unpack(BOARD_OTHELLO, packed.data, packed.length, &err));
    assert_true(err.set);
    eval_free(pair[0]);
    eval_free(pair[1]);
    buf_done(&packed);
}

// The weights that the program carries know more than the count of discs: of positions that can be
// solved they tell the true score better.
struct foresight {
    const struct eval *eval;
    const struct variant *variant;
    struct exact *exact;
    double by_eval, by_discs; // sums of squared errors
};

static void look_ahead(const struct board *b, void *with) {
    struct foresight *f = with;
    const int empties = board_empties(b, f->variant);
    if (empties < 7 || empties > 10 || !board_moves(b, f->variant))
        return;
    const int truth = exact_score(f->exact, b, 0, NULL);
    const double by_eval = eval_score(f->eval, b) / (double)EVAL_DISC - truth;
    const double by_discs = board_margin(b) - truth;
    f->by_eval += by_eval * by_eval;
    f->by_discs += by_discs * by_discs;
}

static void test_carried(void **state) {
    (void)state;
    for (int kind = 0; kind < BOARD_KINDS; kind++) {
        const struct variant *v = &variants[kind];
        struct foresight f = {eval_find(v->kind), v, exact_new(v), 0, 0};
        wander(v->kind, look_ahead, &f);
        exact_free(f.exact);
        assert_true(f.by_eval < f.by_discs / 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetric), cmocka_unit_test(test_steps),
        cmocka_unit_test(test_sums),      cmocka_unit_test(test_one_pattern),
        cmocka_unit_test(test_turns),     cmocka_unit_test(test_packed),
        cmocka_unit_test(test_carried),
    };
    return cmocka_run_group_tests_name("reversi_eval", tests, NULL, NULL);
}
