// SPDX-License-Identifier: MIT
#include "train/trainers.h"

#include "base/mem.h"
#include "train/reversi/scout.h"
#include "train/reversi/selfplay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSITIONS = 400, EMPTIES = 16, DEPTH = 4, NAME_BYTES = 32 };

struct solved {
    struct board board;
    int truth; // in units of the evaluation
};

// Positions with EMPTIES squares of games that the weights inside the program play.
static void solve_positions(const struct training *t, const struct variant *v,
                            struct solved *positions, int count) {
    const struct selfplay play = {.variant = v,
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
        const struct sample *s = (const struct sample *)samples.data;
        for (size_t i = 0; i < samples.length / sizeof *s && n < count; i++)
            if (board_empties(&s[i].board, v) == EMPTIES)
                positions[n++] = (struct solved){
                    s[i].board, EVAL_DISC * exact_score(exact, &s[i].board, 0, NULL)};
        buf_done(&samples);
    }
    exact_free(exact);
}

static double error_of(const struct eval *eval, const struct variant *v,
                       const struct solved *positions, int count, int depth) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double error =
            (scout(eval, v, &positions[i].board, depth, NULL) - positions[i].truth) /
            (double)EVAL_DISC;
        sum += error * error;
    }
    return sqrt(sum / count);
}

static bool check_generation(const struct training *t, const struct variant *v, const char *name,
                             const struct solved *positions, int count, struct err *err) {
    struct buf packed = {.data = NULL};
    struct eval *eval = NULL;
    if (train_load(t, name, &packed, err))
        eval = eval_unpack(v->kind, packed.data, packed.length, err);
    if (eval)
        train_say(t,
                  "%s: %d positions with %d empty squares, error %.2f discs, %.2f after %d plies",
                  name, count, EMPTIES, error_of(eval, v, positions, count, 0),
                  error_of(eval, v, positions, count, DEPTH), DEPTH);
    buf_done(&packed);
    eval_free(eval);
    return !err->set;
}

bool reversi_check(const struct training *t, struct err *err) {
    const struct variant *v = board_variant(&t->rules);
    const int count = t->games ? (int)t->games : POSITIONS;
    struct solved *positions = mem_new((size_t)count, sizeof *positions);
    char name[NAME_BYTES] = "weights-0.bin";
    if (!train_has(t, name))
        err_set(err, "%s holds no %s to check: train it first", t->folder, name);
    else
        solve_positions(t, v, positions, count);
    for (int i = 0; !err->set; i++) {
        snprintf(name, sizeof name, "weights-%d.bin", i);
        if (!train_has(t, name) || !check_generation(t, v, name, positions, count, err))
            break;
    }
    free(positions);
    return !err->set;
}
