// SPDX-License-Identifier: MIT
// Positions are searched to every depth in turn, without leaving anything out. The differences of
// two depths are gathered by the depths and by empty squares; the logarithms of their deviations
// are fitted by a sum of few terms, which also tells of depths too deep to measure.
#include "train/trainers.h"

#include "base/mem.h"
#include "engine/reversi/search.h"
#include "train/fit.h"
#include "train/reversi/selfplay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POSITIONS = 3000,
    CHUNK = 20, // positions a file
    DEPTHS = 12,
    NODES = 1000000, // a position is not searched deeper once it has cost so many
    FEWEST = 8,
    MOST = 58,
    SOLVED = 19,   // empty squares from which the true value is found too
    CUT_FROM = 14, // fewer empty squares are solved without cuts
    BIN = 4,       // empty squares taken together
    BINS = 16,
    ENOUGH = 25, // differences for a deviation
    TERMS = 5,
    TT_BYTES = 1 << 24,
    UNKNOWN = 127,
};

struct measure {
    uint8_t empties;
    int8_t value[DEPTHS], truth; // in discs; or UNKNOWN
};

struct measuring {
    const struct variant *variant;
    uint64_t seed;
};

// A position with so many empty squares from a game; the game may not have one.
static bool draw_position(const struct measuring *m, struct exact *exact, uint32_t number,
                          int empties, struct board *b) {
    const struct reversi_selfplay play = {.variant = m->variant,
                                          .eval = eval_find(m->variant->kind),
                                          .seed = m->seed,
                                          .depth = 2,
                                          .solve = FEWEST};
    struct buf samples = {.data = NULL};
    bool found = false;
    selfplay_game(&play, exact, number, &samples);
    const struct reversi_sample *s = (const struct reversi_sample *)samples.data;
    for (size_t i = 0; i < samples.length / sizeof *s; i++)
        if (board_empties(&s[i].board, m->variant) == empties) {
            *b = s[i].board;
            found = true;
        }
    buf_done(&samples);
    return found;
}

static int8_t value_to(struct reversi_search *s, const struct board *b, int depth) {
    const struct reversi_root root = {
        .board = *b, .among = UINT64_MAX, .alpha = -VALUE_MAX, .beta = VALUE_MAX, .depth = depth};
    struct reversi_line unused;
    return (int8_t)s->run(s, &root, &unused);
}

static void measure_position(struct reversi_search *s, const struct board *b, struct measure *out) {
    memset(out->value, UNKNOWN, sizeof out->value);
    out->empties = (uint8_t)board_empties(b, s->variant);
    out->truth = UNKNOWN;
    s->nodes = 0;
    out->value[0] = (int8_t)lrint((double)eval_score(s->eval, b) / EVAL_DISC);
    for (int depth = 1; depth < DEPTHS && depth < out->empties && s->nodes < NODES; depth++)
        out->value[depth] = value_to(s, b, depth);
    if (out->empties <= SOLVED)
        out->truth = value_to(s, b, out->empties);
}

static void probcut_chunk(const void *maker, int number, struct buf *out) {
    const struct measuring *m = maker;
    static const struct limits none = {.nodes = 0};
    struct tt *tt = tt_new(TT_BYTES);
    struct exact *exact = exact_new(m->variant);
    struct reversi_search search;
    struct stop stop;
    stop_init(&stop, &none);
    search_init(&search, m->variant, tt, &stop);
    for (int i = 0; i < CHUNK; i++) {
        const int n = number * CHUNK + i;
        struct board b;
        struct measure measure;
        exact_clear(exact);
        if (!draw_position(m, exact, (uint32_t)n, FEWEST + n % (MOST - FEWEST), &b))
            continue;
        tt_clear(tt, 0);
        measure_position(&search, &b, &measure);
        buf_put(out, &measure, sizeof measure);
    }
    exact_free(exact);
    tt_free(tt);
}

// Differences of one pair of depths and one bin of empty squares.
struct differences {
    double sum, squares, empties;
    int count;
};

static void add(struct differences *c, int difference, int empties) {
    c->sum += difference;
    c->squares += difference * difference;
    c->empties += empties;
    c->count++;
}

// A deviation to fit, as a row: what it depends on. Those from the true value depend on the probe
// alone: they rise until about 14 empty squares and fall from there on, and a line through what can
// be solved here would go astray where there is more to solve.
struct deviation {
    double probe, depth, empties, square, sigma;
    double at; // empty squares, for people
    int count;
};

struct deviations {
    struct deviation row[DEPTHS * DEPTHS * BINS];
    size_t count;
};

static void add_row(struct deviations *rows, const struct differences *c, int probe, double depth) {
    if (c->count < ENOUGH)
        return;
    const double mean = c->sum / c->count, empties = c->empties / c->count;
    const double variance = c->squares / c->count - mean * mean;
    if (variance > 0)
        rows->row[rows->count++] = (struct deviation){.probe = probe,
                                                      .depth = depth < 0 ? 0 : depth,
                                                      .empties = depth < 0 ? 0 : empties,
                                                      .square = depth < 0 ? 0 : empties * empties,
                                                      .sigma = sqrt(variance),
                                                      .at = empties,
                                                      .count = c->count};
}

// The deviations of searches of `depth`, or of the true value if it is negative, from a probe.
static void gather_pair(const struct measure *m, size_t count, int probe, int depth,
                        struct deviations *rows) {
    struct differences cells[BINS] = {{0}};
    for (size_t i = 0; i < count; i++) {
        const int deep = depth < 0 ? m[i].truth : m[i].value[depth];
        const bool late = depth < 0 && m[i].empties < CUT_FROM;
        if (deep != UNKNOWN && m[i].value[probe] != UNKNOWN && !late)
            add(&cells[m[i].empties / BIN], deep - m[i].value[probe], m[i].empties);
    }
    for (int i = 0; i < BINS; i++)
        add_row(rows, &cells[i], probe, depth);
}

static void probcut_row(const void *data, size_t number, struct fit_row *out) {
    const struct deviation *r = &((const struct deviations *)data)->row[number];
    const double terms[TERMS] = {1, r->probe, r->depth, r->empties, r->square};
    out->target = (float)log(r->sigma);
    out->group = 0;
    out->count = TERMS;
    for (int i = 0; i < TERMS; i++)
        out->terms[i] = (struct fit_term){(uint32_t)i, (float)terms[i]};
}

static void fit_rows(const struct training *t, const struct deviations *rows, const char *what,
                     struct buf *out) {
    const struct fit_data data = {rows->count, TERMS, probcut_row, rows};
    const struct fit_options options = {.l2 = 1e-6, .rounds = 20, .steps = 20, .threads = 1};
    struct fit_progress best;
    float w[TERMS] = {0};
    fit(&data, &options, w, &best);
    for (size_t i = 0; i < rows->count; i++) {
        const struct deviation *r = &rows->row[i];
        const double fitted =
            exp(w[0] + w[1] * r->probe + w[2] * r->depth + w[3] * r->empties + w[4] * r->square);
        train_say(t, "%s: probe %.0f depth %4.1f empties %4.1f: %d differences, %.2f, fitted %.2f",
                  what, r->probe, r->depth, r->at, r->count, r->sigma, fitted);
    }
    train_say(t, "%s: error of the fit %.0f %%", what, 100 * sqrt(2 * best.trained));
    buf_format(out, "{%.4f, %.4f, %.4f, %.5f, %.6f}", (double)w[0], (double)w[1], (double)w[2],
               (double)w[3], (double)w[4]);
}

// False if there is too little to fit.
static bool fit_measures(const struct training *t, const struct measure *m, size_t count) {
    struct deviations *rows = mem_new(1, sizeof *rows);
    struct buf out = {.data = NULL};
    bool enough;
    for (int depth = 3; depth < DEPTHS; depth++)
        for (int probe = depth - 2; probe >= 0; probe -= 2)
            gather_pair(m, count, probe, depth, rows);
    enough = rows->count >= TERMS;
    fit_rows(t, rows, "middle", &out);
    buf_text(&out, ", ");
    rows->count = 0;
    for (int probe = 0; probe < DEPTHS; probe++)
        gather_pair(m, count, probe, -1, rows);
    enough &= rows->count >= TERMS;
    fit_rows(t, rows, "end", &out);
    if (enough)
        train_say(t, "{%s},", out.data);
    buf_done(&out);
    free(rows);
    return enough;
}

bool reversi_probcut(const struct training *t, struct err *err) {
    const struct measuring m = {board_variant(&t->rules), t->seed};
    const struct chunks chunks = {.name = "measures",
                                  .count = chunks_for(t->games ? t->games : POSITIONS, CHUNK),
                                  .make = probcut_chunk,
                                  .maker = &m};
    struct buf measures = {.data = NULL};
    bool done = train_begin(t, "probcut", err) && train_collect(t, &chunks, &measures, err);
    if (done && !fit_measures(t, (const struct measure *)measures.data,
                              measures.length / sizeof(struct measure)))
        done = err_set(err, "too few positions to fit anything to; give more --games");
    buf_done(&measures);
    return done;
}
