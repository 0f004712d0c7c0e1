// SPDX-License-Identifier: MIT
// The weights that differ are packed, a few for each stage; those of every state are made of them,
// so that a search adds numbers without a look at which are the same.
#include "engine/reversi/eval.h"

#include "base/mem.h"
#include "engine/pack.h"
#include "engine/reversi/view.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    COARSE = 4, // weights are kept in so many units: the file is smaller by two bits a weight
};

static const char *const names[BOARD_KINDS] = {[BOARD_OPEN] = "open", [BOARD_OTHELLO] = "othello"};

// What a file of such weights is called, inside: with the number of weights, which tells most
// changes of the patterns.
static void name_of(const struct patterns *p, char name[static PACK_NAME_MAX]) {
    snprintf(name, PACK_NAME_MAX, "reversi %s, %d stages of %u", names[p->variant.kind], p->stages,
             p->kept);
}

size_t eval_bytes(const struct patterns *patterns) {
    return sizeof(struct eval) + (size_t)patterns->stages * patterns->size * sizeof(int16_t);
}

struct eval *eval_empty(enum board_kind kind) {
    struct patterns *patterns = patterns_new(kind);
    struct eval *eval = mem_lines(eval_bytes(patterns));
    eval->patterns = *patterns;
    free(patterns);
    return eval;
}

void eval_free(struct eval *eval) {
    if (!eval)
        return;
    free(eval->patterns.kept_of);
    free(eval);
}

void eval_set_stage(struct eval *eval, int stage, const float *weights) {
    assert(stage >= 0 && stage < eval->patterns.stages);
    const struct patterns *p = &eval->patterns;
    const float most = INT16_MAX / COARSE, units = EVAL_DISC / COARSE;
    for (uint32_t i = 0; i < p->size; i++)
        eval->all[(size_t)stage * p->size + i] =
            (int16_t)(COARSE * lrintf(fminf(fmaxf(weights[p->kept_of[i]] * units, -most), most)));
}

// How many weights are kept, and which of them is that of a state in a stage.
static size_t kept_count(const struct patterns *p) { return (size_t)p->stages * p->kept; }

static size_t kept_at(const struct patterns *p, size_t i) {
    return i / p->size * p->kept + p->kept_of[i % p->size];
}

struct eval *eval_unpack(enum board_kind kind, const void *bytes, size_t size, struct err *err) {
    struct eval *eval = eval_empty(kind);
    const struct patterns *p = &eval->patterns;
    int16_t *kept = mem_new(kept_count(p), sizeof *kept);
    char name[PACK_NAME_MAX];
    name_of(p, name);
    if (pack_read(bytes, size, name, kept, kept_count(p), err)) {
        for (size_t i = 0; i < (size_t)p->stages * p->size; i++)
            eval->all[i] = (int16_t)(COARSE * kept[kept_at(p, i)]);
    } else {
        eval_free(eval);
        eval = NULL;
    }
    free(kept);
    return eval;
}

void eval_pack(const struct eval *eval, struct buf *out) {
    const struct patterns *p = &eval->patterns;
    int16_t *kept = mem_new(kept_count(p), sizeof *kept);
    char name[PACK_NAME_MAX];
    name_of(p, name);
    for (size_t i = 0; i < (size_t)p->stages * p->size; i++)
        kept[kept_at(p, i)] = eval->all[i] / COARSE;
    pack_write(out, name, kept, kept_count(p), p->kept);
    free(kept);
}

int eval_view_score(const struct eval *eval, const struct pattern_view *view) {
    const int empties = board_empties(&view->board, &eval->patterns.variant);
    return eval_sum_score(eval, &view->board, empties,
                          view_sum(&eval->patterns, view, eval_weights(eval, empties)));
}

int eval_score(const struct eval *eval, const struct board *board) {
    struct pattern_view view;
    view_make(&eval->patterns, board, &view);
    return eval_view_score(eval, &view);
}
