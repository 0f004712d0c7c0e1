// SPDX-License-Identifier: MIT
// Every pass takes the samples in another order, each seen as it is or upside down. What is aimed
// at is a chance to win: the game's result mixed with what the search saw. The loss is the cross
// entropy; the first layer begins at random, the worth of features by themselves where the net
// before all training has it.
#include "train/hopchess/learn.h"

#include "base/mem.h"
#include "engine/hopchess/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNITS = HOPNET_UNITS,
    FEATURES = HOPNET_FEATURES,
    BATCH = 512,
    UNTIL_END = 200,  // turns: samples do not tell how many were left
    HELD_PERCENT = 5, // of the games are left out, to measure with
};

// The net in floating point; values in log odds.
struct floats {
    float row[FEATURES][UNITS];
    float bias[UNITS];
    float out[UNITS];
    float worth[FEATURES];
};

static const double DECAY = 0.15; // of a weight, with every step, by the rate of learning

enum { FLOATS = sizeof(struct floats) / sizeof(float) };

struct hop_learner {
    const struct generation *generation;
    const struct hop_sample *samples;
    size_t count;
    const struct races *races;
    struct floats net, slope, mean, square; // the last three: gradient, and its running moments
    struct rng rng;
    int steps;
    double rate;
    double loss[2]; // trained and held, summed
    size_t seen[2];
};

struct hop_view {
    uint16_t seen[HOPNET_SEEN_MAX];
    int count;
    float target;
    float sums[UNITS];
    float odds;
};

static float chance(float odds) { return 1 / (1 + expf(-odds)); }

// Top and bottom of the board are alike: turning them makes another sample.
static uint64_t upside_down(uint64_t set) { return __builtin_bswap64(set); }

static void look(struct hop_learner *l, const struct hop_sample *s, bool turned,
                 struct hop_view *v) {
    const struct hop_field f = {turned ? upside_down(s->own) : s->own,
                                turned ? upside_down(s->other) : s->other, UNTIL_END};
    const float searched = s->value > HOP_WON_MIN    ? 1
                           : s->value < -HOP_WON_MIN ? 0
                                                     : chance((float)s->value / HOPNET_VALUE);
    const float result = (float)l->generation->recipe.result;
    v->target = result * (float)s->points / 2 + (1 - result) * searched;
    v->count = hopnet_see(&f, l->races, v->seen);
    v->odds = 0;
    memcpy(v->sums, l->net.bias, sizeof v->sums);
    for (int i = 0; i < v->count; i++) {
        const float *row = l->net.row[v->seen[i]];
        for (int k = 0; k < UNITS; k++)
            v->sums[k] += row[k];
        v->odds += l->net.worth[v->seen[i]];
    }
    for (int k = 0; k < UNITS; k++)
        v->odds += v->sums[k] > 0 ? v->sums[k] * l->net.out[k] : 0;
}

// The loss of a target p at odds x, less the least there can be.
static double loss_of(double p, double x) {
    const double cross = (x > 0 ? log1p(exp(-x)) + x : log1p(exp(x))) - p * x;
    return cross + (p > 0 ? p * log(p) : 0) + (p < 1 ? (1 - p) * log(1 - p) : 0);
}

static void add_slope(struct hop_learner *l, const struct hop_view *v) {
    struct floats *s = &l->slope;
    const float error = chance(v->odds) - v->target;
    float back[UNITS];
    for (int k = 0; k < UNITS; k++) {
        back[k] = v->sums[k] > 0 ? error * l->net.out[k] : 0;
        s->out[k] += v->sums[k] > 0 ? error * v->sums[k] : 0;
        s->bias[k] += back[k];
    }
    for (int i = 0; i < v->count; i++) {
        float *row = s->row[v->seen[i]];
        for (int k = 0; k < UNITS; k++)
            row[k] += back[k];
        s->worth[v->seen[i]] += error;
    }
}

// One step of Adam.
static void step(struct hop_learner *l) {
    float *net = (float *)&l->net, *slope = (float *)&l->slope, *mean = (float *)&l->mean,
          *square = (float *)&l->square;
    l->steps++;
    const float fast = 0.9f, slow = 0.999f;
    const float rate = (float)(l->rate * sqrt(1 - pow(slow, l->steps)) / (1 - pow(fast, l->steps)));
    const float decay = (float)(l->rate * DECAY);
    for (int i = 0; i < FLOATS; i++) {
        const float g = slope[i] / BATCH;
        mean[i] = fast * mean[i] + (1 - fast) * g;
        square[i] = slow * square[i] + (1 - slow) * g * g;
        net[i] -= rate * mean[i] / (sqrtf(square[i]) + 1e-8f) + decay * net[i];
    }
    memset(slope, 0, sizeof l->slope);
}

static bool is_held(uint64_t seed, uint32_t game) {
    struct rng rng = {seed ^ game * UINT64_C(0x9e3779b97f4a7c15)};
    return rng_below(&rng, 100) < HELD_PERCENT;
}

static void pass_through(struct hop_learner *l, const uint32_t *order) {
    struct hop_view v;
    int batch = 0;
    l->loss[0] = l->loss[1] = 0;
    l->seen[0] = l->seen[1] = 0;
    for (size_t i = 0; i < l->count; i++) {
        const struct hop_sample *s = &l->samples[order[i]];
        const bool held = is_held(l->generation->training->seed, s->game);
        look(l, s, !held && rng_below(&l->rng, 2), &v);
        l->loss[held] += loss_of(v.target, v.odds);
        l->seen[held]++;
        if (held)
            continue;
        add_slope(l, &v);
        if (++batch % BATCH == 0)
            step(l);
    }
}

// Where learning begins: the worth of features as they are in the net, the rest at random.
static void begin(struct hop_learner *l, const struct hopnet *net) {
    for (int i = 0; i < FEATURES; i++) {
        l->net.worth[i] = (float)net->worth[i] / (HOPNET_OUT * HOPNET_VALUE);
        for (int k = 0; k < UNITS; k++)
            l->net.row[i][k] = (float)((int)rng_below(&l->rng, 2001) - 1000) * 1e-4f;
    }
    for (int k = 0; k < UNITS; k++) {
        l->net.bias[k] = 0.1f;
        l->net.out[k] = k % 2 ? 0.1f : -0.1f;
    }
}

static int16_t rounded(float x, float unit, float most) {
    const float y = x * unit;
    return (int16_t)lrintf(y > most ? most : y < -most ? -most : y);
}

static void finish(const struct floats *from, struct hopnet *net) {
    const float row_max = INT16_MAX / HOPNET_SEEN_MAX, unit = HOPNET_OUT * HOPNET_VALUE;
    for (int i = 0; i < FEATURES; i++) {
        net->worth[i] = rounded(from->worth[i], unit, INT16_MAX);
        for (int k = 0; k < UNITS; k++)
            net->row[i][k] = rounded(from->row[i][k], HOPNET_ROW, row_max);
    }
    for (int k = 0; k < UNITS; k++) {
        net->bias[k] = rounded(from->bias[k], HOPNET_ROW, row_max);
        net->out[k] = rounded(from->out[k], unit, INT16_MAX);
    }
}

static void tell(const struct hop_learner *l, int pass) {
    train_say(l->generation->training, "generation %d, pass %2d: loss %.5f, held out %.5f",
              l->generation->number, pass, l->loss[0] / (double)(l->seen[0] + 1),
              l->loss[1] / (double)(l->seen[1] + 1));
}

bool hop_learn(const struct generation *g, struct buf *samples, struct buf *packed,
               struct err *err) {
    struct hop_learner *l = mem_new(1, sizeof *l);
    struct hopnet *net = mem_new(1, sizeof *net);
    const int passes = g->recipe.passes;
    l->generation = g;
    l->samples = (const struct hop_sample *)samples->data;
    l->count = samples->length / sizeof *l->samples;
    l->races = races_find(HOP_COUNT_MAX);
    l->rng.state = g->training->seed;
    uint32_t *order = mem_new(l->count + 1, sizeof *order);
    for (size_t i = 0; i < l->count; i++)
        order[i] = (uint32_t)i;
    hopnet_begin(net);
    begin(l, net);
    for (int pass = 0; pass < passes; pass++) {
        l->rate = 0.0001 + 0.001 * (1 + cos(M_PI * pass / passes));
        train_shuffle(&l->rng, order, l->count);
        pass_through(l, order);
        if (pass % 2 == 1)
            tell(l, pass + 1);
    }
    finish(&l->net, net);
    hopnet_write(net, packed);
    free(order);
    free(net);
    free(l);
    return !err->set;
}
