// SPDX-License-Identifier: MIT
// The weights that differ are kept, a few for each stage; those of every state are made of them, so
// that a search adds numbers without a look at which are the same.
#include "engine/reversi/eval.h"

#include "base/embed.h"
#include "base/mem.h"
#include "engine/pack.h"
#include "engine/reversi/view.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COARSE = 4, // weights are kept in so many units: the file is smaller by two bits a weight
};

static const char *const names[BOARD_KINDS] = {[BOARD_OPEN] = "open", [BOARD_OTHELLO] = "othello"};

// What a file of such weights is called, inside: with the number of weights, which tells most
// changes of the patterns.
static void name_of(const struct eval *eval, char name[static PACK_NAME_MAX]) {
    snprintf(name, PACK_NAME_MAX, "reversi %s, %d stages of %u",
             names[eval->patterns->variant->kind], EVAL_STAGES, eval->patterns->kept);
}

struct eval *eval_empty(enum board_kind kind) {
    struct eval *eval = mem_new(1, sizeof *eval);
    eval->patterns = patterns_new(kind);
    eval->kept = mem_new((size_t)EVAL_STAGES * eval->patterns->kept, sizeof *eval->kept);
    for (int i = 0; i < EVAL_STAGES; i++)
        eval->all[i] = mem_new(eval->patterns->size, sizeof *eval->all[i]);
    return eval;
}

void eval_free(struct eval *eval) {
    if (!eval)
        return;
    for (int i = 0; i < EVAL_STAGES; i++)
        free(eval->all[i]);
    free(eval->kept);
    patterns_free(eval->patterns);
    free(eval);
}

static int16_t *kept_of_stage(const struct eval *eval, int stage) {
    return eval->kept + (size_t)stage * eval->patterns->kept;
}

// Gives every state its weight.
static void spread(struct eval *eval, int stage) {
    const struct patterns *p = eval->patterns;
    const int16_t *kept = kept_of_stage(eval, stage);
    for (uint32_t i = 0; i < p->size; i++)
        eval->all[stage][i] = (int16_t)(COARSE * kept[p->kept_of[i]]);
}

void eval_set_stage(struct eval *eval, int stage, const float *weights) {
    assert(stage >= 0 && stage < EVAL_STAGES);
    int16_t *kept = kept_of_stage(eval, stage);
    const float most = INT16_MAX / COARSE;
    for (uint32_t i = 0; i < eval->patterns->kept; i++)
        kept[i] =
            (int16_t)lrintf(fminf(fmaxf(weights[i] * (float)(EVAL_DISC / COARSE), -most), most));
    spread(eval, stage);
}

struct eval *eval_unpack(enum board_kind kind, const void *bytes, size_t size, struct err *err) {
    struct eval *eval = eval_empty(kind);
    char name[PACK_NAME_MAX];
    name_of(eval, name);
    if (!pack_read(bytes, size, name, eval->kept, (size_t)EVAL_STAGES * eval->patterns->kept,
                   err)) {
        eval_free(eval);
        return NULL;
    }
    for (int i = 0; i < EVAL_STAGES; i++)
        spread(eval, i);
    return eval;
}

void eval_pack(const struct eval *eval, struct buf *out) {
    char name[PACK_NAME_MAX];
    name_of(eval, name);
    pack_write(out, name, eval->kept, (size_t)EVAL_STAGES * eval->patterns->kept,
               eval->patterns->kept);
}

// The weights that the program carries. Written once, before anybody reads them.
static struct eval *carried[BOARD_KINDS];

// Weights that cannot be read are an error of who built the program.
static void unpack_carried(enum board_kind kind) {
    char path[64];
    struct err err = {.set = false};
    snprintf(path, sizeof path, "reversi-%s.bin", names[kind]);
    for (const struct embed *file = weight_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            carried[kind] = eval_unpack(kind, file->bytes, file->size, &err);
    assert(carried[kind]);
}

static void unpack_open(void) { unpack_carried(BOARD_OPEN); }
static void unpack_othello(void) { unpack_carried(BOARD_OTHELLO); }

const struct eval *eval_find(enum board_kind kind) {
    static pthread_once_t once[BOARD_KINDS] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
    static void (*const unpack[BOARD_KINDS])(void) = {
        [BOARD_OPEN] = unpack_open, [BOARD_OTHELLO] = unpack_othello};
    pthread_once(&once[kind], unpack[kind]);
    return carried[kind];
}

void eval_view(const struct eval *eval, const struct board *board, struct pattern_view *view) {
    view_make(eval->patterns, board, view);
}

void eval_step(const struct eval *eval, const struct pattern_view *from, int square, uint64_t flips,
               struct pattern_view *to) {
    view_step(eval->patterns, from, square, flips, to);
}

int eval_view_score(const struct eval *eval, const struct pattern_view *view) {
    const int empties = board_empties(&view->board, eval->patterns->variant);
    return eval_sum_score(eval, &view->board, empties,
                          view_sum(eval->patterns, view, eval->all[eval_stage(empties)]));
}

int eval_score(const struct eval *eval, const struct board *board) {
    struct pattern_view view;
    view_make(eval->patterns, board, &view);
    return eval_view_score(eval, &view);
}
