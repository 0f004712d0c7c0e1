// SPDX-License-Identifier: MIT
// Stages are fitted from the last to the first, each pulled towards the weights of the stage after
// it: what is seldom seen keeps what is known of it later in the game. A stage also learns from the
// first positions of the next, so that neighbours are alike.
//
// What a position is aimed at comes from stages that are learned already: as many plies on as a
// stage has. Where its game went on by good play, it is what the evaluation says of the position
// that came then and of those after it, each counting less than the one before it, up to the known
// end: temporal differences. Their errors differ, so the mean of them is better than one search,
// and costs nothing. Where the game swerved before, it is the score of a search.
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
    ROUNDS = 6,
    STEPS = 6,
    OVERLAP = 2, // plies of the next stage that a stage learns from too
    NAME_BYTES = 48,
};

static const double NEAR = 16;           // discs; a score that far counts half
static const double FADE = 0.8;          // what a ply later counts
static const uint32_t NONE = UINT32_MAX; // no such sample

struct reversi_learning {
    const struct generation *generation;
    struct reversi_sample *samples;  // by empty squares
    uint32_t *next;                  // of each, the one that followed by good play, or NONE
    float *worth;                    // of those in learned stages, with what followed
    size_t begins[EMPTY_COUNTS + 1]; // where those with so many begin
    struct eval *eval;
    int stage;
    struct fit_options options;
};

static int empties_of(const struct reversi_learning *l, const struct reversi_sample *s) {
    return board_empties(&s->board, &l->eval->patterns.variant);
}

// Does a sample follow the one before it by good play?
static bool follows(const struct reversi_sample *s) {
    return s[0].game == s[-1].game && !(s[-1].how & SAMPLE_SWERVED);
}

// Sorts by empty squares, otherwise in order.
static void sort_samples(struct reversi_learning *l, size_t count) {
    struct reversi_sample *copy = mem_new(count + 1, sizeof *copy);
    size_t places[EMPTY_COUNTS + 1];
    uint32_t before = NONE;
    memcpy(copy, l->samples, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        l->begins[empties_of(l, &copy[i]) + 1]++;
    for (int i = 0; i < EMPTY_COUNTS; i++)
        l->begins[i + 1] += l->begins[i];
    memcpy(places, l->begins, sizeof places);
    for (size_t i = 0; i < count; i++) {
        const uint32_t place = (uint32_t)places[empties_of(l, &copy[i])]++;
        l->samples[place] = copy[i];
        l->next[place] = NONE;
        if (i > 0 && follows(&copy[i]))
            l->next[before] = place;
        before = place;
    }
    free(copy);
}

// The fewest and most empty squares of the stage.
static void stage_bounds(const struct reversi_learning *l, int *fewest, int *most) {
    *fewest = 0;
    while (eval_stage(l->eval, *fewest) != l->stage)
        ++*fewest;
    *most = *fewest;
    while (*most + 1 < EMPTY_COUNTS && eval_stage(l->eval, *most + 1) == l->stage)
        ++*most;
}

// For who is to move in `a`, what is worth this much to who is to move in `b`.
static double seen_from(const struct reversi_sample *a, const struct reversi_sample *b, double of) {
    return (a->how ^ b->how) & SAMPLE_WHITE ? -of : of;
}

// What the positions say that followed a sample by good play; false if too few did.
static bool score_by_game(const struct reversi_learning *l, size_t number, double *score) {
    size_t at = number;
    for (int i = 0; i < l->eval->patterns.stage_plies; i++) {
        if (l->next[at] == NONE)
            return false;
        at = l->next[at];
    }
    *score = seen_from(&l->samples[number], &l->samples[at], l->worth[at]);
    return true;
}

// Notes what the positions of the stage, just learned, are worth with what followed them.
static void note_worth(struct reversi_learning *l) {
    int fewest, most;
    stage_bounds(l, &fewest, &most);
    for (size_t i = l->begins[fewest]; i < l->begins[most + 1]; i++) {
        const struct reversi_sample *s = &l->samples[i];
        const uint32_t next = l->next[i];
        const double own = s->exact ? s->score : eval_score(l->eval, &s->board);
        l->worth[i] = (float)(s->exact || next == NONE
                                  ? own
                                  : (1 - FADE) * own +
                                        FADE * seen_from(s, &l->samples[next], l->worth[next]));
    }
}

static void reversi_score_chunk(const void *maker, int number, struct buf *out) {
    const struct reversi_learning *l = maker;
    const struct variant *v = &l->eval->patterns.variant;
    const int stage_plies = l->eval->patterns.stage_plies,
              depth = l->generation->recipe.score_depth;
    int fewest, most;
    stage_bounds(l, &fewest, &most);
    const size_t begin = l->begins[fewest] + (size_t)number * CHUNK, end = l->begins[most + 1];
    for (size_t i = begin; i < begin + CHUNK && i < end; i++) {
        const struct reversi_sample *s = &l->samples[i];
        double score = s->score;
        if (!s->exact && !score_by_game(l, i, &score))
            score = scout(l->eval, v, &s->board, depth > stage_plies ? depth : stage_plies, NULL);
        const int16_t kept = (int16_t)lrint(score);
        buf_put(out, &kept, sizeof kept);
    }
}

// Gives the samples of the stage what they are aimed at.
static bool score_stage(struct reversi_learning *l, struct err *err) {
    const struct training *t = l->generation->training;
    char name[NAME_BYTES];
    struct buf scores = {.data = NULL};
    int fewest, most;
    stage_bounds(l, &fewest, &most);
    const size_t begin = l->begins[fewest], count = l->begins[most + 1] - begin;
    snprintf(name, sizeof name, "scores-%d-%d", l->generation->number, l->stage);
    const struct chunks chunks = {.name = name,
                                  .count = chunks_for((int64_t)count, CHUNK),
                                  .make = reversi_score_chunk,
                                  .maker = l};
    bool done = train_collect(t, &chunks, &scores, err);
    if (done && scores.length != count * sizeof(int16_t))
        done = err_set(err, "%s in %s does not fit the games there", name, t->folder);
    for (size_t i = 0; done && i < count; i++)
        memcpy(&l->samples[begin + i].score, scores.data + i * sizeof(int16_t), sizeof(int16_t));
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

// Games are decided where the score is near even, and sums of weights cannot follow it to the far
// ends. So a far score counts less: it and its terms are made smaller.
static float weight_of(double discs) {
    return (float)(1 / sqrt(1 + discs * discs / (NEAR * NEAR)));
}

static void reversi_row(const void *data, size_t number, struct fit_row *row) {
    const struct sample_rows *r = data;
    const uint32_t *weights = &r->weights[number * (size_t)r->terms];
    const float score = (float)r->samples[number].score / EVAL_DISC, weight = weight_of(score);
    row->target = score * weight;
    row->group = r->samples[number].game;
    row->count = r->terms;
    for (int i = 0; i < r->terms; i++)
        row->terms[i] = (struct fit_term){weights[i], weight};
}

// The root mean square error in discs of the samples of the stage that were held out and are near
// even, as the finished weights see them.
static double held_error(const struct reversi_learning *l, const struct sample_rows *r) {
    double sum = 0;
    size_t rows = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct reversi_sample *s = &r->samples[i];
        if (abs(s->score) > NEAR * EVAL_DISC || !fit_holds(&l->options, s->game) ||
            eval_stage(l->eval, empties_of(l, s)) != l->stage)
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
    stage_bounds(l, &fewest, &most);
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
    const size_t count = samples->length / sizeof(struct reversi_sample);
    struct eval *eval = eval_empty(board_variant(&g->training->rules)->kind);
    struct reversi_learning l = {
        .generation = g, .samples = (struct reversi_sample *)samples->data, .eval = eval};
    float *weights = mem_new(eval->patterns.kept, sizeof *weights);
    bool done = true;
    l.options = (struct fit_options){.l2 = g->recipe.pull,
                                     .rounds = ROUNDS,
                                     .steps = STEPS,
                                     .held_percent = HELD_PERCENT,
                                     .seed = g->training->seed,
                                     .threads = g->training->threads};
    l.next = mem_new(count + 1, sizeof *l.next);
    l.worth = mem_new(count + 1, sizeof *l.worth);
    sort_samples(&l, count);
    for (l.stage = eval->patterns.stages - 1; done && l.stage >= 0; l.stage--) {
        done = g->recipe.score_depth == 0 || score_stage(&l, err);
        if (done) {
            fit_stage(&l, weights);
            note_worth(&l);
        }
    }
    if (done)
        eval_pack(eval, packed);
    free(l.next);
    free(l.worth);
    free(weights);
    eval_free(eval);
    return done;
}
