// SPDX-License-Identifier: MIT
// What counts is the pair: its two games share an opening, so the interval is that of the mean of
// pairs, as of independent draws from one distribution.
#include "train/bout.h"

#include <assert.h>
#include <math.h>

static void bout_chunk(const void *maker, int number, struct buf *out) {
    const struct bout *bout = maker;
    char points[BOUT_POINTS]; // of the first player: 2 won, 1 drawn, 0 lost
    for (int i = 0; i < BOUT_POINTS; i++) {
        const int margin = bout->play(bout->players, number * BOUT_PAIRS + i / 2, i % 2);
        points[i] = margin == 0 ? 1 : (margin > 0) == (i % 2 == 0) ? 2 : 0;
    }
    buf_put(out, points, sizeof points);
}

static void report(const struct bout *bout, const char *points, size_t count) {
    const double pairs = (double)count / 2;
    assert(count % 2 == 0);
    double sum = 0, squares = 0;
    int tally[3] = {0};
    for (size_t i = 0; i + 1 < count; i += 2) {
        const double pair = (points[i] + points[i + 1]) / 4.0;
        sum += pair;
        squares += pair * pair;
        tally[(int)points[i]]++;
        tally[(int)points[i + 1]]++;
    }
    const double mean = sum / pairs;
    const double wide = 1.96 * sqrt((squares / pairs - mean * mean) / (pairs - 1));
    train_say(bout->training,
              "%s: %zu games, %d won, %d drawn, %d lost, %.1f %% of the points (%.1f to %.1f)",
              bout->name, count, tally[2], tally[1], tally[0], 100 * mean, 100 * (mean - wide),
              100 * (mean + wide));
}

bool bout_play(const struct bout *bout, struct err *err) {
    const int64_t wanted = bout->training->games ? bout->training->games : bout->games;
    assert(wanted > 0);
    const struct chunks chunks = {.name = bout->name,
                                  .count = chunks_for(wanted, BOUT_POINTS),
                                  .make = bout_chunk,
                                  .maker = bout};
    struct buf points = {.data = NULL};
    const bool done = train_collect(bout->training, &chunks, &points, err);
    if (done)
        report(bout, points.data, points.length);
    buf_done(&points);
    return done;
}
