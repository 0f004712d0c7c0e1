// SPDX-License-Identifier: MIT
// A sample teaches twice. Where its turn begins, the value aims at how the game ended, mixed with
// what the search thought, and the first policy at both stones that the search chose. With one of
// these placed, the second policy aims at the other.
//
// Many ways a line can look are rare. So a row of weights is a sum: one part belongs to what the
// line makes, which many ways share, the other to the way alone, and is pulled towards 0. The net
// that plays knows the sums.
#include "train/connect6/learn.h"

#include "base/mem.h"
#include "engine/connect6/threats.h"
#include "train/connect6/selfplay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 64, HELD_SHARE = 20, UNITS = NET6_UNITS };

static const float policy_share = 0.1F, proven_share = 0.5F, row_pull = 0.02F;

// Weights, or their gradient. `rows` lie as in struct net6_weights.
struct net6_floats {
    float row[2][NET6_ROWS][UNITS];
    float kind[2][LINE_KINDS][UNITS];
    float bias[UNITS];
    float policy[2][2][UNITS];
    float hidden[NET6_HIDDEN][2][UNITS];
    float hidden_bias[NET6_HIDDEN];
    float out[NET6_HIDDEN];
    float direct[2][UNITS];
    float out_bias;
};

// What follows rows and kinds lies in the same order in struct net6_weights.
enum {
    FLOATS = sizeof(struct net6_floats) / sizeof(float),
    WEIGHTS = sizeof(struct net6_weights) / sizeof(int16_t),
    HEAD = WEIGHTS - 2 * NET6_ROWS * UNITS,
};

static float *head_of(struct net6_floats *floats) { return (float *)floats + FLOATS - HEAD; }

// The empty cells of a position, and the rows of the lines through them: as the player to move sees
// them, and as the other does.
struct sight6 {
    int count;
    int16_t cell[BOARD_CELLS];
    uint16_t row[BOARD_CELLS][2][DIRECTIONS];
};

struct sums6 {
    float cell[BOARD_CELLS][2][UNITS]; // of the player to move; of the other
    float total[2][UNITS];
};

// What has been learned about so far: sums of losses.
struct tally6 {
    double value[2], policy[2]; // values of what was proven apart
    int count, proven;
    int hits; // first policies whose best cell was one of the stones
};

struct learner6 {
    const struct generation *generation;
    struct net6_floats model, gradient, mean, square;
    float table[2][NET6_ROWS][UNITS]; // rows with what kinds add, of the present model
    uint8_t kind[NET6_ROWS];
    uint16_t row[NET6_WAYS];
    bool blank[NET6_WAYS];
    struct board6 board;
    struct sight6 sight;
    struct sums6 sums, back;
    int steps;
    float rate;
    struct rng rng;
};

static float uniform(struct rng *rng) {
    return (float)((double)(rng_next(rng) >> 11) / 4503599627370496.0 - 1);
}

static void sum_rows(struct learner6 *l) {
    for (int i = 0; i < 2 * NET6_ROWS; i++) {
        const int side = i / NET6_ROWS, row = i % NET6_ROWS;
        for (int u = 0; u < UNITS; u++)
            l->table[side][row][u] =
                l->model.row[side][row][u] + l->model.kind[side][l->kind[row]][u];
    }
}

// Fills in the rows of a cell; false if it has no stone in sight.
static bool look_from(const struct learner6 *l, int cell, int mover, uint16_t row[2][DIRECTIONS]) {
    const struct board6 *b = &l->board;
    bool near = false;
    for (int k = 0; k < 2 * DIRECTIONS; k++) {
        const int player = k % 2 ? 1 - mover : mover;
        const struct spot spot = b->spot[cell][k / 2];
        const int way =
            lines_way(b->lines, b->mine[player][spot.line], b->stop[player][spot.line], spot.bit);
        near |= !l->blank[way];
        row[k % 2][k / 2] = l->row[way];
    }
    return near;
}

static void look(struct learner6 *l, int mover) {
    int16_t cells[BOARD_CELLS];
    const int count = cells_list(&l->board.empties, cells);
    struct sight6 *s = &l->sight;
    s->count = 0;
    for (int i = 0; i < count; i++) {
        s->cell[s->count] = cells[i];
        s->count += look_from(l, cells[i], mover, s->row[s->count]);
    }
}

static void sum_cell(const struct learner6 *l, int i, int player, float sum[UNITS]) {
    float all[UNITS];
    memcpy(all, l->model.bias, sizeof all);
    for (int k = 0; k < 2 * DIRECTIONS; k++) {
        const float *row = l->table[k % 2][l->sight.row[i][player ^ (k % 2)][k / 2]];
        for (int u = 0; u < UNITS; u++)
            all[u] += row[u];
    }
    memcpy(sum, all, sizeof all);
}

// The sums of the cells for so many players, the one to move first.
static void sum_up(struct learner6 *l, int players) {
    const int count = l->sight.count;
    memset(l->back.cell, 0, (size_t)count * sizeof *l->back.cell);
    for (int p = 0; p < players; p++) {
        float total[UNITS] = {0};
        for (int i = 0; i < count; i++) {
            float sum[UNITS];
            sum_cell(l, i, p, sum);
            memcpy(l->sums.cell[i][p], sum, sizeof sum);
            for (int u = 0; u < UNITS; u++)
                total[u] += sum[u] > 0 ? sum[u] : 0;
        }
        memcpy(l->sums.total[p], total, sizeof total);
    }
}

static void add_row(float *to, const float by[UNITS]) {
    for (int u = 0; u < UNITS; u++)
        to[u] += by[u];
}

// Carries what the sums of cells should have been back to the rows.
static void carry_back(struct learner6 *l, int players) {
    const struct sight6 *s = &l->sight;
    for (int i = 0; i < s->count; i++)
        for (int p = 0; p < players; p++) {
            float back[UNITS];
            memcpy(back, l->back.cell[i][p], sizeof back);
            add_row(l->gradient.bias, back);
            for (int k = 0; k < 2 * DIRECTIONS; k++)
                add_row(l->gradient.row[k % 2][s->row[i][p ^ (k % 2)][k / 2]], back);
        }
}

static float dot(const float *a, const float *b) {
    float sum = 0;
    for (int u = 0; u < UNITS; u++)
        sum += a[u] * b[u];
    return sum;
}

static void add_scaled(float *to, const float *from, float by) {
    for (int u = 0; u < UNITS; u++)
        to[u] += by * from[u];
}

// Returns the odds, as a logarithm; fills in what the layer between came to.
static float find_value(const struct learner6 *l, float in[2][UNITS], float layer[NET6_HIDDEN]) {
    const struct net6_floats *m = &l->model;
    float value = m->out_bias;
    for (int p = 0; p < 2; p++) {
        for (int u = 0; u < UNITS; u++)
            in[p][u] = l->sums.total[p][u] / NET6_SPREAD;
        value += dot(m->direct[p], in[p]);
    }
    for (int k = 0; k < NET6_HIDDEN; k++) {
        layer[k] = m->hidden_bias[k] + dot(m->hidden[k][0], in[0]) + dot(m->hidden[k][1], in[1]);
        value += layer[k] > 0 ? m->out[k] * layer[k] : 0;
    }
    return value;
}

static void blame_value(struct learner6 *l, float in[2][UNITS], const float layer[NET6_HIDDEN],
                        float slope) {
    const struct net6_floats *m = &l->model;
    struct net6_floats *g = &l->gradient;
    float back[2][UNITS] = {{0}};
    g->out_bias += slope;
    for (int p = 0; p < 2; p++) {
        add_scaled(g->direct[p], in[p], slope);
        add_scaled(back[p], m->direct[p], slope);
    }
    for (int k = 0; k < NET6_HIDDEN; k++) {
        if (layer[k] <= 0)
            continue;
        const float down = slope * m->out[k];
        g->out[k] += slope * layer[k];
        g->hidden_bias[k] += down;
        for (int p = 0; p < 2; p++) {
            add_scaled(g->hidden[k][p], in[p], down);
            add_scaled(back[p], m->hidden[k][p], down);
        }
    }
    for (int i = 0; i < l->sight.count; i++)
        for (int p = 0; p < 2; p++)
            for (int u = 0; u < UNITS; u++)
                l->back.cell[i][p][u] += l->sums.cell[i][p][u] > 0 ? back[p][u] / NET6_SPREAD : 0;
}

static float aim_of(const struct learner6 *l, const struct sample6 *s) {
    const float share = s->won < 0 ? 0 : (float)l->generation->recipe.result;
    const float thought = 1 / (1 + expf(-(float)s->value / NET6_POINTS));
    return s->exact ? (s->value > 0 ? 1 : 0) : share * s->won + (1 - share) * thought;
}

static void learn_value(struct learner6 *l, const struct sample6 *s, bool held, struct tally6 *t) {
    float in[2][UNITS], layer[NET6_HIDDEN];
    const float odds = find_value(l, in, layer), aim = aim_of(l, s);
    const float chance = 1 / (1 + expf(-odds));
    t->value[s->exact] -= aim * logf(chance + 1e-7F) + (1 - aim) * logf(1 - chance + 1e-7F);
    t->proven += s->exact;
    if (!held)
        blame_value(l, in, layer, (chance - aim) * (s->exact ? proven_share : 1));
}

static float weigh_cell(const float sums[UNITS], const float w[2][UNITS]) {
    float part[UNITS];
    for (int u = 0; u < UNITS; u++)
        part[u] = w[0][u] * sums[u] + (sums[u] > 0 ? w[1][u] * sums[u] : 0);
    for (int n = UNITS / 2; n > 0; n /= 2)
        for (int u = 0; u < n; u++)
            part[u] += part[u + n];
    return part[0];
}

// The chances of all cells, as the policy for so many stones left has them. Returns the best.
static int find_policy(const struct learner6 *l, int stones, float chance[BOARD_CELLS]) {
    float sum = 0, most = -1e30F;
    int best = 0;
    for (int i = 0; i < l->sight.count; i++) {
        chance[i] = weigh_cell(l->sums.cell[i][0], l->model.policy[stones - 1]);
        if (chance[i] > most) {
            most = chance[i];
            best = i;
        }
    }
    for (int i = 0; i < l->sight.count; i++)
        sum += chance[i] = expf(chance[i] - most);
    for (int i = 0; i < l->sight.count; i++)
        chance[i] /= sum;
    return best;
}

static void blame_policy(struct learner6 *l, int stones, int i, float slope) {
    const float(*w)[UNITS] = l->model.policy[stones - 1];
    float(*g)[UNITS] = l->gradient.policy[stones - 1];
    for (int u = 0; u < UNITS; u++) {
        const float sum = l->sums.cell[i][0][u], above = sum > 0 ? 1 : 0;
        g[0][u] += slope * sum;
        g[1][u] += slope * sum * above;
        l->back.cell[i][0][u] += slope * (w[0][u] + above * w[1][u]);
    }
}

// Towards these stones, each as likely; the second may be NO_CELL.
static void learn_policy(struct learner6 *l, const int16_t stones[2], bool held, struct tally6 *t) {
    float chance[BOARD_CELLS];
    const int left = stones[1] == NO_CELL ? 1 : 2;
    const int best = find_policy(l, left, chance);
    for (int i = 0; i < l->sight.count; i++) {
        const int cell = l->sight.cell[i];
        const float aim = cell == stones[0] || cell == stones[1] ? 1.0F / (float)left : 0;
        if (aim > 0)
            t->policy[left - 1] -= aim * logf(chance[i] + 1e-7F);
        if (!held)
            blame_policy(l, left, i, policy_share * (chance[i] - aim));
        t->hits += left == 2 && i == best && aim > 0;
    }
}

// With one of its stones placed.
static void learn_second(struct learner6 *l, const struct sample6 *s, bool held, struct tally6 *t) {
    const int first = held ? 0 : (int)rng_below(&l->rng, 2);
    const int16_t rest[2] = {s->stones[1 - first], NO_CELL};
    board_lay(&l->board, s->stones[first], s->mover);
    look(l, s->mover);
    sum_up(l, 1);
    learn_policy(l, rest, held, t);
    if (!held)
        carry_back(l, 1);
}

static void learn_sample(struct learner6 *l, const struct sample6 *s, bool held, struct tally6 *t) {
    board_outline(&l->board, &l->generation->training->rules, s->grid);
    look(l, s->mover);
    sum_up(l, 2);
    learn_value(l, s, held, t);
    if (s->stones[1] != NO_CELL)
        learn_policy(l, s->stones, held, t);
    if (!held)
        carry_back(l, 2);
    if (s->stones[1] != NO_CELL)
        learn_second(l, s, held, t);
    t->count++;
}

// What a row should have been, its kind should have been too.
static void share_gradient(struct learner6 *l) {
    struct net6_floats *g = &l->gradient;
    for (int i = 0; i < 2 * NET6_ROWS; i++) {
        const int side = i / NET6_ROWS, row = i % NET6_ROWS;
        add_scaled(g->kind[side][l->kind[row]], g->row[side][row], 1);
    }
}

static void step(struct learner6 *l, int met) {
    float *weight = (float *)&l->model, *slope = (float *)&l->gradient;
    float *mean = (float *)&l->mean, *square = (float *)&l->square;
    const size_t rows = sizeof l->model.row / sizeof(float);
    share_gradient(l);
    l->steps++;
    const double warm = sqrt(1 - pow(0.999, l->steps)) / (1 - pow(0.9, l->steps));
    const float rate = l->rate * (float)warm, share = 1 / (float)met;
    for (size_t i = 0; i < FLOATS; i++) {
        const float g = slope[i] * share, pull = i < rows ? row_pull : 0;
        mean[i] += 0.1F * (g - mean[i]);
        square[i] += 0.001F * (g * g - square[i]);
        weight[i] -= rate * (mean[i] / (sqrtf(square[i]) + 1e-7F) + pull * weight[i]);
    }
    memset(slope, 0, sizeof l->gradient);
    sum_rows(l);
}

static void pass(struct learner6 *l, const struct sample6 *samples, uint32_t *order, size_t count,
                 struct tally6 *t) {
    train_shuffle(&l->rng, order, count);
    for (size_t i = 0; i < count; i++) {
        learn_sample(l, &samples[order[i]], false, t);
        if (i % BATCH == BATCH - 1 || i == count - 1)
            step(l, (int)(i % BATCH) + 1);
    }
}

static void list_ways(struct learner6 *l) {
    const uint8_t *kinds = (const uint8_t *)lines_carried[true].kind;
    for (int way = 0; way < NET6_WAYS; way++) {
        l->row[way] = (uint16_t)net6_row(way);
        l->blank[way] = way_is_blank(way);
        l->kind[l->row[way]] = kinds[way];
    }
}

// From the weights, or from small numbers drawn at random.
static void begin(struct learner6 *l, const struct net6_weights *w) {
    struct net6_floats *m = &l->model;
    const int16_t *from = (const int16_t *)w;
    bool blank = true;
    for (size_t i = 0; i < sizeof *w / sizeof *from; i++)
        blank = blank && from[i] == 0;
    const float unit = NET6_ONE;
    for (size_t i = 0; i < sizeof m->row / sizeof(float); i++)
        ((float *)m->row)[i] = ((const int16_t *)w->row)[i] / unit;
    for (size_t i = 0; i < HEAD; i++)
        head_of(m)[i] = from[WEIGHTS - HEAD + i] / unit;
    for (size_t i = 0; blank && i < sizeof m->kind / sizeof(float); i++)
        ((float *)m->kind)[i] = uniform(&l->rng) * 0.1F;
    for (size_t i = 0; blank && i < HEAD; i++)
        head_of(m)[i] = uniform(&l->rng) * 0.1F;
    sum_rows(l);
}

static int16_t whole(float weight, int most) {
    const float value = weight * NET6_ONE, end = (float)most;
    return (int16_t)lrintf(value > end ? end : value < -end ? -end : value);
}

static void finish(const struct learner6 *l, struct net6_weights *w) {
    const float *head = (const float *)&l->model + FLOATS - HEAD;
    int16_t *to = (int16_t *)w;
    for (size_t i = 0; i < sizeof l->table / sizeof(float); i++)
        ((int16_t *)w->row)[i] = whole(((const float *)l->table)[i], NET6_ROW_MOST);
    for (size_t i = 0; i < HEAD; i++)
        to[WEIGHTS - HEAD + i] = whole(head[i], INT16_MAX);
}

// The losses of a tally: values, those of what was proven, policies.
static void write_tally(const struct tally6 *t, char text[static 64]) {
    snprintf(text, 64, "%.4f, proven %.4f, policies %.3f %.3f",
             t->value[0] / (t->count - t->proven + 1), t->value[1] / (t->proven + 1),
             t->policy[1] / (t->count + 1), t->policy[0] / (t->count + 1));
}

static void tell(const struct learner6 *l, int number, const struct tally6 *trained,
                 const struct tally6 *held) {
    char a[64], b[64];
    write_tally(trained, a);
    write_tally(held, b);
    train_say(l->generation->training, "generation %d, pass %d: loss %s; held out %s, %.1f %% hit",
              l->generation->number, number, a, b, 100.0 * held->hits / (held->count + 1));
}

bool connect6_learn(const struct generation *g, struct buf *samples, struct buf *packed,
                    struct err *err) {
    struct connect6_player *p = g->player;
    struct learner6 *l = mem_lines(sizeof *l);
    const struct sample6 *all = (const struct sample6 *)samples->data;
    const size_t count = samples->length / sizeof *all, held = count / HELD_SHARE;
    uint32_t *order = mem_new(count + 1, sizeof *order);
    l->generation = g;
    l->rng.state = g->training->seed;
    board_init(&l->board, &g->training->rules, &lines_carried[true]);
    list_ways(l);
    begin(l, &p->weights);
    for (size_t i = 0; i < count - held; i++)
        order[i] = (uint32_t)i;
    for (int n = 0; n < g->recipe.passes; n++) {
        struct tally6 trained = {.count = 0}, tested = {.count = 0};
        const float left = 1 - (float)n / (float)g->recipe.passes;
        l->rate = 0.003F * left * left + 0.00003F;
        pass(l, all, order, count - held, &trained);
        for (size_t i = count - held; i < count; i++)
            learn_sample(l, &all[i], true, &tested);
        tell(l, n + 1, &trained, &tested);
    }
    finish(l, &p->weights);
    net6_write(&p->weights, packed);
    free(order);
    free(l);
    return !err->set;
}
