// SPDX-License-Identifier: MIT
// Fits the curve of engine/hopchess/score.h to games, each position with what was searched there
// and the margin in the end.
#include "engine/hopchess/score.h"

#include "engine/hopchess/mind.h"
#include "engine/hopchess/search.h"
#include "train/fit.h"
#include "train/hopchess/selfplay.h"
#include "train/trainers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    GAMES = 2000,
    CHUNK_GAMES = 100, // a file
    NODES = 1000,      // a move
    TT_BYTES = 1 << 22,
    HELD_PERCENT = 20,
};

// Neither a race nor the end.
static bool is_on_curve(const struct hop_sample *s) { return abs(s->value) < HOP_RACE_WON; }

static void score_row(const void *data, size_t number, struct fit_row *row) {
    const struct hop_sample *s = (const struct hop_sample *)data + number;
    double part;
    const int knot = hop_score_knot(abs(s->value), &part), sign = s->value < 0 ? -1 : 1;
    row->target = s->margin;
    row->group = s->game;
    row->count = 0;
    if (knot > 0)
        row->terms[row->count++] =
            (struct fit_term){(uint32_t)knot - 1, (float)(sign * (1 - part))};
    row->terms[row->count++] = (struct fit_term){(uint32_t)knot, (float)(sign * part)};
}

static void score_chunk(const void *maker, int number, struct buf *out) {
    const struct training *t = maker;
    const struct hop_games how = {.rules = &t->rules, .seed = t->seed, .nodes = NODES};
    struct hop_mind *mind = hop_mind_new(hopnet_find(), 0, 1, TT_BYTES);
    for (int i = 0; i < CHUNK_GAMES; i++)
        hop_games_play(&how, mind, (uint32_t)(number * CHUNK_GAMES + i), out);
    hop_mind_free(mind);
}

static size_t keep_curve(struct hop_sample *samples, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_on_curve(&samples[i]))
            samples[kept++] = samples[i];
    return kept;
}

static void fit_curve(const struct training *t, struct hop_sample *samples, size_t count) {
    const struct fit_data data = {.rows = keep_curve(samples, count),
                                  .weights = HOP_SCORE_KNOTS,
                                  .row = score_row,
                                  .data = samples};
    const struct fit_options options = {
        .rounds = 3, .steps = 20, .held_percent = HELD_PERCENT, .threads = 1};
    float pieces[HOP_SCORE_KNOTS] = {0};
    struct fit_progress best;
    fit(&data, &options, pieces, &best);
    train_say(t, "%zu positions; error %.2f pieces, held out %.2f", data.rows,
              sqrt(2 * best.trained), sqrt(2 * best.held));
    for (int i = 0; i < HOP_SCORE_KNOTS; i++)
        train_say(t, "value %d: %.0f hundredths of a piece", (i + 1) * HOP_SCORE_KNOT,
                  100.0 * pieces[i]);
}

bool hopchess_score(const struct training *t, struct err *err) {
    const struct chunks chunks = {.name = "score",
                                  .count = chunks_for(t->games ? t->games : GAMES, CHUNK_GAMES),
                                  .make = score_chunk,
                                  .maker = t};
    struct buf samples = {.data = NULL};
    char plan[64];
    snprintf(plan, sizeof plan, "score, %d nodes", NODES);
    const bool done = train_begin(t, plan, err) && train_collect(t, &chunks, &samples, err);
    if (done)
        fit_curve(t, (struct hop_sample *)samples.data, samples.length / sizeof(struct hop_sample));
    buf_done(&samples);
    return done;
}
