// SPDX-License-Identifier: MIT
// Stages are fitted from the last to the first, each pulled towards the weights of the stage after
// it: what is seldom seen keeps what is known of it later in the game. A stage also learns from the
// first positions of the next, so that neighbours are alike.
//
// A stage is four plies long, so a search of four plies or more from any of its positions ends in
// stages that are learned already: its score is better than the evaluation can be, and less a
// matter of luck than the end of the game.
#include "train/reversi/learn.h"

#include "base/mem.h"
#include "engine/reversi/view.h"
#include "train/fit.h"
#include "train/reversi/scout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EMPTY_COUNTS = 65,
    CHUNK = 4000, // scores a file
    HELD_PERCENT = 5,
    RESULT_PERCENT = 10, // of a score is the game's end, the rest what a search says
    ROUNDS = 6,
    STEPS = 6,
    OVERLAP = 2, // plies of the next stage that a stage learns from too
    NAME_BYTES = 48,
};

struct reversi_learning {
    const struct generation *generation;
    struct reversi_sample *samples;  // by empty squares
    size_t begins[EMPTY_COUNTS + 1]; // where those with so many begin
    struct eval *eval;
    int stage;
    struct fit_options options;
};

static int empties_of(const struct reversi_learning *l, const struct reversi_sample *s) {
    return board_empties(&s->board, &l->eval->patterns.variant);
}

// Sorts by empty squares, otherwise in order.
static void sort_samples(struct reversi_learning *l, size_t count) {
    struct reversi_sample *copy = mem_new(count + 1, sizeof *copy);
    size_t places[EMPTY_COUNTS + 1];
    memcpy(copy, l->samples, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        l->begins[empties_of(l, &copy[i]) + 1]++;
    for (int i = 0; i < EMPTY_COUNTS; i++)
        l->begins[i + 1] += l->begins[i];
    memcpy(places, l->begins, sizeof places);
    for (size_t i = 0; i < count; i++)
        l->samples[places[empties_of(l, &copy[i])]++] = copy[i];
    free(copy);
}

// The fewest and most empty squares of a stage.
static void stage_bounds(int stage, int *fewest, int *most) {
    *fewest = 0;
    while (eval_stage(*fewest) != stage)
        ++*fewest;
    *most = *fewest;
    while (*most + 1 < EMPTY_COUNTS && eval_stage(*most + 1) == stage)
        ++*most;
}

static void reversi_score_chunk(const void *maker, int number, struct buf *out) {
    const struct reversi_learning *l = maker;
    const struct variant *v = &l->eval->patterns.variant;
    int fewest, most;
    stage_bounds(l->stage, &fewest, &most);
    const size_t begin = l->begins[fewest] + (size_t)number * CHUNK, end = l->begins[most + 1];
    for (size_t i = begin; i < begin + CHUNK && i < end; i++) {
        const struct reversi_sample *s = &l->samples[i];
        const int score =
            s->exact ? s->score
                     : scout(l->eval, v, &s->board, l->generation->recipe->score_depth, NULL);
        const int16_t kept = (int16_t)score;
        buf_put(out, &kept, sizeof kept);
    }
}

// Gives the samples of the stage the scores of a search.
static bool score_stage(struct reversi_learning *l, struct err *err) {
    const struct training *t = l->generation->training;
    char name[NAME_BYTES];
    struct buf scores = {.data = NULL};
    int fewest, most;
    stage_bounds(l->stage, &fewest, &most);
    const size_t begin = l->begins[fewest], count = l->begins[most + 1] - begin;
    snprintf(name, sizeof name, "scores-%d-%d", l->generation->number, l->stage);
    const struct chunks chunks = {.name = name,
                                  .count = chunks_for((int64_t)count, CHUNK),
                                  .make = reversi_score_chunk,
                                  .maker = l};
    bool done = train_collect(t, &chunks, &scores, err);
    if (done && scores.length != count * sizeof(int16_t))
        done = err_set(err, "%s in %s does not fit the games there", name, t->folder);
    for (size_t i = 0; done && i < count; i++) {
        struct reversi_sample *s = &l->samples[begin + i];
        int16_t found;
        memcpy(&found, scores.data + i * sizeof found, sizeof found);
        s->score = (int16_t)((s->score * RESULT_PERCENT + found * (100 - RESULT_PERCENT)) / 100);
    }
    buf_done(&scores);
    return done;
}

// The samples of a stage as rows: the weights that count, as numbers of kept ones.
struct sample_rows {
    int terms;
    size_t count;
    uint32_t *weights; // `terms` for each row
    const struct reversi_sample *samples;
};

static void rows_init(struct sample_rows *r, const struct eval *eval,
                      const struct reversi_sample *samples, size_t count) {
    const struct patterns *p = &eval->patterns;
    struct pattern_view view;
    uint32_t found[FOUND_MAX];
    *r = (struct sample_rows){.terms = p->places + COUNTS, .count = count, .samples = samples};
    r->weights = mem_new(count + 1, (size_t)r->terms * sizeof *r->weights);
    for (size_t i = 0; i < count; i++) {
        view_make(&eval->patterns, &samples[i].board, &view);
        patterns_find(p, &view, found);
        for (int k = 0; k < r->terms; k++)
            r->weights[i * (size_t)r->terms + (size_t)k] = p->kept_of[found[k]];
    }
}

static void reversi_row(const void *data, size_t number, struct fit_row *row) {
    const struct sample_rows *r = data;
    const uint32_t *weights = &r->weights[number * (size_t)r->terms];
    row->target = (float)r->samples[number].score / EVAL_DISC;
    row->group = r->samples[number].game;
    row->count = r->terms;
    for (int i = 0; i < r->terms; i++)
        row->terms[i] = (struct fit_term){weights[i], 1};
}

// The root mean square error in discs of the samples of the stage that were held out, as the
// finished weights see them.
static double held_error(const struct reversi_learning *l, const struct sample_rows *r) {
    double sum = 0;
    size_t rows = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct reversi_sample *s = &r->samples[i];
        if (!fit_holds(&l->options, s->game) || eval_stage(empties_of(l, s)) != l->stage)
            continue;
        const double error = (eval_score(l->eval, &s->board) - s->score) / (double)EVAL_DISC;
        sum += error * error;
        rows++;
    }
    return rows ? sqrt(sum / (double)rows) : 0;
}

static void fit_stage(struct reversi_learning *l, float *weights) {
    const struct patterns *p = &l->eval->patterns;
    struct sample_rows rows;
    struct fit_progress best;
    int fewest, most;
    stage_bounds(l->stage, &fewest, &most);
    fewest = fewest > OVERLAP ? fewest - OVERLAP : 0;
    rows_init(&rows, l->eval, &l->samples[l->begins[fewest]],
              l->begins[most + 1] - l->begins[fewest]);
    const struct fit_data data = {rows.count, p->kept, reversi_row, &rows};
    fit(&data, &l->options, weights, &best);
    eval_set_stage(l->eval, l->stage, weights);
    train_say(l->generation->training,
              "scores-%d, stage %2d: %8zu positions, error %5.2f discs, held out %5.2f",
              l->generation->number, l->stage, rows.count, sqrt(2 * best.trained),
              held_error(l, &rows));
    free(rows.weights);
}

bool reversi_learn(const struct generation *g, struct buf *samples, struct buf *packed,
                   struct err *err) {
    struct eval *eval = eval_empty(board_variant(&g->training->rules)->kind);
    struct reversi_learning l = {
        .generation = g, .samples = (struct reversi_sample *)samples->data, .eval = eval};
    float *weights = mem_new(eval->patterns.kept, sizeof *weights);
    bool done = true;
    l.options = (struct fit_options){.l2 = g->recipe->pull,
                                     .rounds = ROUNDS,
                                     .steps = STEPS,
                                     .held_percent = HELD_PERCENT,
                                     .seed = g->training->seed,
                                     .threads = g->training->threads};
    sort_samples(&l, samples->length / sizeof(struct reversi_sample));
    for (l.stage = EVAL_STAGES - 1; done && l.stage >= 0; l.stage--) {
        done = g->recipe->score_depth == 0 || score_stage(&l, err);
        if (done)
            fit_stage(&l, weights);
    }
    if (done)
        eval_pack(eval, packed);
    free(weights);
    eval_free(eval);
    return done;
}
