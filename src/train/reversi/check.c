// SPDX-License-Identifier: MIT
// The error of the evaluation at few enough empty squares to know the truth, alone and after a
// short search, by which generations can be compared without playing.
#include "train/trainers.h"

#include "base/mem.h"
#include "train/reversi/learn.h"
#include "train/reversi/scout.h"

#include <math.h>
#include <stdlib.h>

enum { POSITIONS = 400, EMPTIES = 16, DEPTH = 4 };

struct solved_board {
    struct board board;
    int truth; // in units of the evaluation
};

// Positions with EMPTIES squares of games that the weights inside the program play.
static void solve_positions(const struct training *t, const struct variant *v,
                            struct solved_board *positions, int count) {
    const struct reversi_selfplay play = {.variant = v,
                                          .eval = eval_find(v->kind),
                                          .seed = t->seed ^ UINT64_C(0x636865636b),
                                          .depth = 2,
                                          .solve = 1};
    struct exact *exact = exact_new(v);
    int n = 0;
    for (uint32_t game = 0; n < count; game++) {
        struct buf samples = {.data = NULL};
        exact_clear(exact);
        selfplay_game(&play, exact, game, &samples);
        const struct reversi_sample *s = (const struct reversi_sample *)samples.data;
        for (size_t i = 0; i < samples.length / sizeof *s && n < count; i++)
            if (board_empties(&s[i].board, v) == EMPTIES)
                positions[n++] = (struct solved_board){
                    s[i].board, EVAL_DISC * exact_score(exact, &s[i].board, 0, NULL)};
        buf_done(&samples);
    }
    exact_free(exact);
}

static double error_of(const struct eval *eval, const struct variant *v,
                       const struct solved_board *positions, int count, int depth) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double error =
            (scout(eval, v, &positions[i].board, depth, NULL) - positions[i].truth) /
            (double)EVAL_DISC;
        sum += error * error;
    }
    return sqrt(sum / count);
}

static void check_generation(const struct training *t, int number,
                             const struct solved_board *positions, int count, struct err *err) {
    const struct variant *v = board_variant(&t->rules);
    struct eval *eval = generations_load(&reversi_generations, t, number, err);
    if (eval)
        train_say(
            t,
            "weights-%d.bin: %d positions with %d empty squares, error %.2f discs, %.2f after "
            "%d plies",
            number, count, EMPTIES, error_of(eval, v, positions, count, 0),
            error_of(eval, v, positions, count, DEPTH), DEPTH);
    eval_free(eval);
}

bool reversi_check(const struct training *t, struct err *err) {
    const struct variant *v = board_variant(&t->rules);
    const int count = t->games ? (int)t->games : POSITIONS;
    struct solved_board *positions = mem_new((size_t)count, sizeof *positions);
    if (!generations_has(t, 0))
        err_set(err, "%s holds no weights-0.bin to check: train it first", t->folder);
    else
        solve_positions(t, v, positions, count);
    for (int i = 0; !err->set && generations_has(t, i); i++)
        check_generation(t, i, positions, count, err);
    free(positions);
    return !err->set;
}
