// SPDX-License-Identifier: MIT
// Positions are not kept: every pass plays the games again, in another order, and takes all drops
// of some games as a batch. The aim of a position is the gain that its mover made from there to the
// end of the game, mixed with what the search expected. A game to learn from is seen from a side
// drawn at random.
#include "train/tower4/learn.h"

#include "base/mem.h"
#include "engine/tower4/eval.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_GAMES = 16,
    FLOATS = WEIGHTS,
    HELD_PERCENT = 5,
    SUMS_MOST = 48, // of a unit in the games held out: 16 bits hold 128, for games of any kind
};

// Weights, or their gradient, in the order of struct tower_weights.
struct tower_floats {
    float row[ROWS][UNITS];
    float out[STAGES][2][UNITS];
};

struct tower_learner {
    const struct generation *generation;
    const struct lattice *lattice;
    const struct played *games; // one after the other, each of the lattice's pieces
    size_t count, held;         // of games; the last are left out, to measure with
    struct net *blank;          // towers need one
    struct tower_board tower;
    struct tower_floats model, gradient, mean, square;
    float most[UNITS]; // the largest sums of the units in the games held out, without their signs
    int steps;
    double rate;
    struct rng rng;
};

static double uniform(struct rng *rng) {
    return (double)(rng_next(rng) >> 11) / 4503599627370496.0 - 1;
}

static void begin(struct tower_learner *l, const struct tower_weights *w) {
    const int16_t *from = (const int16_t *)w;
    float *to = (float *)&l->model;
    bool blank = true;
    for (size_t i = 0; i < FLOATS; i++) {
        to[i] = (float)from[i] / ROW_UNIT; // both units are the same
        blank = blank && from[i] == 0;
    }
    for (size_t i = 0; blank && i < FLOATS; i++)
        to[i] = (float)(uniform(&l->rng) * (i < ROWS * UNITS ? 0.02 : 0.3));
}

// A unit with large sums gets smaller rows, and what goes out of it counts more: the answer is the
// same, and no sum leaves its 16 bits.
static void shrink(struct tower_learner *l) {
    for (int unit = 0; unit < UNITS; unit++) {
        const float share = l->most[unit] > SUMS_MOST ? SUMS_MOST / l->most[unit] : 1;
        for (int i = 0; i < ROWS; i++)
            l->model.row[i][unit] *= share;
        for (int i = 0; i < STAGES * 2; i++)
            l->model.out[i / 2][i % 2][unit] /= share;
    }
}

static void finish(struct tower_learner *l, struct tower_weights *w) {
    shrink(l);
    const float *from = (const float *)&l->model;
    int16_t *to = (int16_t *)w;
    for (size_t i = 0; i < FLOATS; i++) {
        const float value = from[i] * ROW_UNIT;
        to[i] = (int16_t)lrintf(value > 32000 ? 32000 : value < -32000 ? -32000 : value);
    }
}

static void sum_up(const struct tower_floats *m, const uint16_t *rows, int count,
                   float sums[static UNITS]) {
    memset(sums, 0, UNITS * sizeof *sums);
    for (int i = 0; i < count; i++)
        for (int unit = 0; unit < UNITS; unit++)
            sums[unit] += m->row[rows[i]][unit];
}

// The error of a position, in points and weighted; adds to the gradient if it is to be learned.
static double meet(struct tower_learner *l, double aim, bool held) {
    uint16_t rows[EVAL_ROWS_MAX];
    const int count = tower_rows(&l->tower, rows), stage = tower_stage(&l->tower);
    float sums[UNITS], answer = 0, back[UNITS];
    sum_up(&l->model, rows, count, sums);
    for (int unit = 0; unit < UNITS; unit++)
        answer += sums[unit] * l->model.out[stage][sums[unit] > 0][unit];
    const double worth = tower_worth(&l->tower, NEXT_LINES) / 100.0;
    const double error = answer * worth - aim, weight = 1 / (0.1 + worth);
    if (held) {
        for (int unit = 0; unit < UNITS; unit++)
            l->most[unit] = fmaxf(l->most[unit], fabsf(sums[unit]));
        return error * error * weight;
    }
    const float slope = (float)(error * worth * weight / 50);
    for (int unit = 0; unit < UNITS; unit++) {
        back[unit] = slope * l->model.out[stage][sums[unit] > 0][unit];
        l->gradient.out[stage][sums[unit] > 0][unit] += slope * sums[unit];
    }
    for (int i = 0; i < count; i++)
        for (int unit = 0; unit < UNITS; unit++)
            l->gradient.row[rows[i]][unit] += back[unit];
    return error * error * weight;
}

void tower_gains(struct tower_board *t, const struct played *game, int gain[static DROPS_MAX + 1]) {
    const int pieces = t->left;
    for (int i = 0; i < pieces; i++) {
        const int column = game[i].column;
        gain[i] = tower_worth(t, t->threes[t->side][tower_cell(t, column)]);
        tower_drop(t, column);
    }
    gain[pieces] = 0;
    for (int i = pieces - 1; i >= 0; i--)
        gain[i] -= gain[i + 1];
}

// Plays a game through twice: for the gains from every ply on, then to learn. Returns the sum of
// the squared errors.
static double meet_game(struct tower_learner *l, const struct played *game, bool held, int *met) {
    const struct lattice *lattice = l->lattice;
    const uint8_t *mirror = lattice->mirror[held ? 0 : rng_below(&l->rng, MIRRORS)];
    const int pieces = lattice->pieces;
    int gain[DROPS_MAX + 1];
    double sum = 0;
    tower_init(&l->tower, lattice, l->blank);
    tower_gains(&l->tower, game, gain);
    tower_init(&l->tower, lattice, l->blank);
    for (int i = 0; i < pieces; i++) {
        const double share = game[i].searched ? l->generation->recipe.result : 1;
        if (game[i].searched && i < pieces - 1) {
            sum += meet(l, share * gain[i] + (1 - share) * game[i].gain, held);
            ++*met;
        }
        tower_drop(&l->tower, mirror[game[i].column]);
    }
    return sum;
}

static void step(struct tower_learner *l, int met) {
    float *weight = (float *)&l->model, *slope = (float *)&l->gradient;
    float *mean = (float *)&l->mean, *square = (float *)&l->square;
    l->steps++;
    const double warm = sqrt(1 - pow(0.999, l->steps)) / (1 - pow(0.9, l->steps));
    const float rate = (float)(l->rate * warm), share = 1 / (float)met;
    for (size_t i = 0; i < FLOATS; i++) {
        const float g = slope[i] * share;
        mean[i] += 0.1F * (g - mean[i]);
        square[i] += 0.001F * (g * g - square[i]);
        weight[i] -= rate * (mean[i] / (sqrtf(square[i]) + 1e-6F) + 0.001F * weight[i]);
    }
    memset(slope, 0, sizeof l->gradient);
}

static double pass(struct tower_learner *l, uint32_t *order, size_t count) {
    const size_t pieces = (size_t)l->lattice->pieces;
    double sum = 0;
    int all = 0;
    train_shuffle(&l->rng, order, count);
    for (size_t i = 0; i < count;) {
        int met = 0;
        for (int n = 0; n < BATCH_GAMES && i < count; n++)
            sum += meet_game(l, &l->games[order[i++] * pieces], false, &met);
        if (met)
            step(l, met);
        all += met;
    }
    return sqrt(sum / (all + 1));
}

static double measure(struct tower_learner *l) {
    double sum = 0;
    int met = 0;
    memset(l->most, 0, sizeof l->most);
    for (size_t i = l->count - l->held; i < l->count; i++)
        sum += meet_game(l, &l->games[i * (size_t)l->lattice->pieces], true, &met);
    return sqrt(sum / (met + 1));
}

bool tower_learn(const struct generation *g, struct buf *samples, struct buf *packed,
                 struct err *err) {
    struct tower_player *p = g->player;
    struct tower_learner *l = mem_lines(sizeof *l);
    l->generation = g;
    l->lattice = &p->lattice;
    l->games = (const struct played *)samples->data;
    l->count = samples->length / ((size_t)p->lattice.pieces * sizeof *l->games);
    l->held = (size_t)g->games * HELD_PERCENT / 100;
    l->rng.state = g->training->seed;
    l->blank = tower_net_of(NULL);
    assert(l->held <= l->count);
    const size_t count = l->count - l->held;
    uint32_t *order = mem_new(count, sizeof *order);
    begin(l, &p->weights);
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (int n = 0; n < g->recipe.passes; n++) {
        const double done = (double)n / g->recipe.passes;
        l->rate = 0.003 * (1 - done) * (1 - done) + 0.00003;
        const double trained = pass(l, order, count);
        train_say(g->training, "generation %d, pass %d: error %.2f points, held out %.2f",
                  g->number, n + 1, trained, measure(l));
    }
    finish(l, &p->weights);
    tower_net_write(&p->weights, &g->training->rules, packed);
    free(order);
    free(l->blank);
    free(l);
    return !err->set;
}
