// SPDX-License-Identifier: MIT
// Least squares by conjugate gradients.
//
// With rows a, targets y and weights w that began at b, the loss is the sum of (a.w - y)^2 / 2 and
// l2/2 |w - b|^2. A round finds the gradient g and the diagonal of the curvature H, then walks from
// d = 0 towards the solution of H d = -g, preconditioned by that diagonal: patterns differ a
// thousandfold in how often they occur. A product H p takes one pass through the rows, without
// storing anything but vectors. A further round is but a restart; it is there to look at the held
// out rows.
//
// The rows are cut in SHARDS parts, summed in order, so that the number of threads does not change
// the result.
#include "train/fit.h"

#include "base/mem.h"
#include "base/rng.h"
#include "engine/share.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS = 2 };

// Sums of one shard over its rows.
struct shard {
    const struct fitting *fitting;
    size_t begin, end;
    double *product;  // H p, or the gradient
    double *diagonal; // of H, if wanted
    double loss[2];   // of trained rows, and held out
    size_t rows[2];
    struct fit_row row;
};

struct fitting {
    const struct fit_data *data;
    const struct fit_options *options;
    const float *weights;
    const float *direction; // p; NULL: the gradient is wanted
    struct shard shards[SHARDS];
};

bool fit_holds(const struct fit_options *options, uint64_t group) {
    struct rng rng = {options->seed ^ group * UINT64_C(0x9e3779b97f4a7c15)};
    return (int)rng_below(&rng, 100) < options->held_percent;
}

static double sum(const struct fit_row *row, const float *of) {
    double total = 0;
    for (int i = 0; i < row->count; i++)
        total += (double)of[row->terms[i].weight] * row->terms[i].value;
    return total;
}

static void add(const struct fit_row *row, double times, double *to) {
    for (int i = 0; i < row->count; i++)
        to[row->terms[i].weight] += times * row->terms[i].value;
}

static void add_squares(const struct fit_row *row, double *to) {
    for (int i = 0; i < row->count; i++) {
        const double value = row->terms[i].value;
        to[row->terms[i].weight] += value * value;
    }
}

// Gradient, diagonal and losses.
static void look(struct shard *s, const struct fit_row *row, bool held) {
    const double error = sum(row, s->fitting->weights) - row->target;
    s->loss[held] += error * error / 2;
    s->rows[held]++;
    if (held)
        return;
    add(row, error, s->product);
    add_squares(row, s->diagonal);
}

static void multiply(struct shard *s, const struct fit_row *row) {
    add(row, sum(row, s->fitting->direction), s->product);
}

static void fit_shard(void *job, int number) {
    struct fitting *f = job;
    struct shard *s = &f->shards[number];
    for (size_t i = s->begin; i < s->end; i++) {
        f->data->row(f->data->data, i, &s->row);
        const bool held = fit_holds(f->options, s->row.group);
        if (!f->direction)
            look(s, &s->row, held);
        else if (!held)
            multiply(s, &s->row);
    }
}

static void clear(struct fitting *f) {
    for (int i = 0; i < SHARDS; i++) {
        struct shard *s = &f->shards[i];
        memset(s->product, 0, f->data->weights * sizeof *s->product);
        if (!f->direction)
            memset(s->diagonal, 0, f->data->weights * sizeof *s->diagonal);
        s->loss[0] = s->loss[1] = 0;
        s->rows[0] = s->rows[1] = 0;
    }
}

// Leaves all sums in the first shard.
static void gather(struct fitting *f) {
    struct shard *to = &f->shards[0];
    for (int k = 1; k < SHARDS; k++) {
        const struct shard *from = &f->shards[k];
        for (size_t i = 0; i < f->data->weights; i++)
            to->product[i] += from->product[i];
        for (size_t i = 0; !f->direction && i < f->data->weights; i++)
            to->diagonal[i] += from->diagonal[i];
        for (int i = 0; i < 2; i++) {
            to->loss[i] += from->loss[i];
            to->rows[i] += from->rows[i];
        }
    }
}

// One pass through the rows, along `direction` if there is one.
static void pass(struct fitting *f, const float *direction) {
    f->direction = direction;
    clear(f);
    share_run(f->options->threads, SHARDS, 1, fit_shard, f);
    gather(f);
}

static void fitting_init(struct fitting *f, const struct fit_data *data,
                         const struct fit_options *options, const float *weights) {
    assert(options->threads >= 1 && options->rounds >= 0 && options->steps >= 0);
    *f = (struct fitting){.data = data, .options = options, .weights = weights};
    for (size_t i = 0; i < SHARDS; i++) {
        struct shard *s = &f->shards[i];
        s->fitting = f;
        s->begin = data->rows * i / SHARDS;
        s->end = data->rows * (i + 1) / SHARDS;
        s->product = mem_new(data->weights, sizeof *s->product);
        s->diagonal = mem_new(data->weights, sizeof *s->diagonal);
    }
}

static void fitting_done(struct fitting *f) {
    for (int i = 0; i < SHARDS; i++) {
        free(f->shards[i].product);
        free(f->shards[i].diagonal);
    }
}

// Vectors of the conjugate gradients, each as long as the weights.
struct descent {
    double *residual, *scale; // -g - H d, and the inverse of the preconditioner
    float *direction, *step;  // p, d
    double power;             // residual . scaled residual
};

static void walk_init(struct descent *w, size_t size) {
    w->residual = mem_new(size, sizeof *w->residual);
    w->scale = mem_new(size, sizeof *w->scale);
    w->direction = mem_new(size, sizeof *w->direction);
    w->step = mem_new(size, sizeof *w->step);
}

static void walk_done(struct descent *w) {
    free(w->residual);
    free(w->scale);
    free(w->direction);
    free(w->step);
}

// Begins at the gradient and diagonal that the last pass left.
static void walk_begin(struct descent *w, const struct fitting *f, const float *began) {
    const struct shard *s = &f->shards[0];
    const double l2 = f->options->l2;
    w->power = 0;
    for (size_t i = 0; i < f->data->weights; i++) {
        w->residual[i] = -s->product[i] - l2 * (f->weights[i] - began[i]);
        w->scale[i] = s->diagonal[i] + l2 > 0 ? 1 / (s->diagonal[i] + l2) : 0;
        w->direction[i] = (float)(w->residual[i] * w->scale[i]);
        w->power += w->residual[i] * w->residual[i] * w->scale[i];
        w->step[i] = 0;
    }
}

// One step. False when there is nothing left to gain.
static bool walk_on(struct descent *w, struct fitting *f) {
    const size_t size = f->data->weights;
    double along = 0, power = 0;
    if (w->power <= 0)
        return false;
    pass(f, w->direction);
    double *product = f->shards[0].product;
    for (size_t i = 0; i < size; i++) {
        product[i] += f->options->l2 * w->direction[i];
        along += product[i] * w->direction[i];
    }
    if (along <= 0)
        return false;
    const double length = w->power / along;
    for (size_t i = 0; i < size; i++) {
        w->step[i] += (float)(length * w->direction[i]);
        w->residual[i] -= length * product[i];
        power += w->residual[i] * w->residual[i] * w->scale[i];
    }
    for (size_t i = 0; i < size; i++)
        w->direction[i] =
            (float)(w->residual[i] * w->scale[i] + power / w->power * w->direction[i]);
    w->power = power;
    return true;
}

static double mean(double total, size_t count) { return count ? total / (double)count : 0; }

// Measures where the weights are, for the listener; true if they are the best so far.
static bool measure(struct fitting *f, struct fit_progress *now, struct fit_progress *best) {
    const struct shard *s = &f->shards[0];
    pass(f, NULL);
    now->passes++;
    now->trained = mean(s->loss[0], s->rows[0]);
    now->held = mean(s->loss[1], s->rows[1]);
    const bool better =
        now->round == 0 || (s->rows[1] ? now->held < best->held : now->trained < best->trained);
    if (better)
        *best = *now;
    if (f->options->tell)
        f->options->tell(f->options->listener, now);
    return better;
}

void fit(const struct fit_data *data, const struct fit_options *options, float *weights,
         struct fit_progress *best) {
    const size_t bytes = data->weights * sizeof *weights;
    float *began = mem_new(data->weights, sizeof *weights),
          *top = mem_new(data->weights, sizeof *top);
    struct fitting f;
    struct descent walk;
    struct fit_progress now = {.round = 0};
    fitting_init(&f, data, options, weights);
    walk_init(&walk, data->weights);
    memcpy(began, weights, bytes);
    for (;; now.round++) {
        if (measure(&f, &now, best))
            memcpy(top, weights, bytes);
        else
            break;
        if (now.round == options->rounds)
            break;
        walk_begin(&walk, &f, began);
        for (int i = 0; i < options->steps && walk_on(&walk, &f); i++)
            now.passes++;
        for (size_t i = 0; i < data->weights; i++)
            weights[i] += walk.step[i];
    }
    memcpy(weights, top, bytes);
    walk_done(&walk);
    fitting_done(&f);
    free(began);
    free(top);
}
