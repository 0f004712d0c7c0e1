// SPDX-License-Identifier: MIT
// Pairs are scored as one observation each: two games of a pair share the opening and so depend on
// each other, and their sum varies less than two free games would. The interval is Wilson's, which
// holds near 0 and 1, too. The test is the generalised
// sequential probability ratio test in its normal approximation, on the same observations.
#include "referee/score.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { OUTCOMES = 5, DOUBT = 10 };

static const double Z = 1.959964; // for 95 %

// Observations: each worth a share of the points, seen so often.
struct score_sample {
    double count, mean, variance;
};

void score_add(struct score *score, int result) {
    if (result > 0)
        score->won++;
    else if (result < 0)
        score->lost++;
    else
        score->drawn++;
}

void score_add_pair(struct score *score, int first, int second) {
    assert(abs(first) <= 1 && abs(second) <= 1);
    score_add(score, first);
    score_add(score, second);
    score->pairs[first + second + 2]++;
}

int score_games(const struct score *score) { return score->won + score->drawn + score->lost; }

// `smooth` adds a trace of every outcome, so that the variance is never 0.
static struct score_sample observe(const struct score *score, double smooth) {
    double seen[OUTCOMES] = {0}, pairs = 0;
    for (int i = 0; i < OUTCOMES; i++)
        pairs += score->pairs[i];
    const bool paired = pairs * 2 == score_games(score) && pairs > 0;
    for (int i = 0; paired && i < OUTCOMES; i++)
        seen[i] = score->pairs[i];
    if (!paired) {
        seen[0] = score->lost;
        seen[2] = score->drawn;
        seen[4] = score->won;
    }
    struct score_sample s = {0};
    for (int i = 0; i < OUTCOMES; i++) {
        seen[i] += paired || i % 2 == 0 ? smooth : 0;
        s.count += seen[i];
        s.mean += seen[i] * i / 4.0;
    }
    if (s.count == 0)
        return s;
    s.mean /= s.count;
    for (int i = 0; i < OUTCOMES; i++)
        s.variance += seen[i] * (i / 4.0 - s.mean) * (i / 4.0 - s.mean) / s.count;
    return s;
}

static double elo_of(double points) {
    if (points <= 0)
        return -INFINITY;
    if (points >= 1)
        return INFINITY;
    return 400 * log10(points / (1 - points));
}

static double points_of(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

// How many free games of nothing but wins and losses would tell as much: draws and pairs spread
// less. Where one side has hardly a point the spread seen is an accident, so as many as
// DOUBT points of such free games are counted in.
static double free_games(const struct score *score, const struct score_sample *s) {
    const double games = score_games(score), per = games / s->count;
    const double rare = games * fmin(s->mean, 1 - s->mean);
    const double spread = rare > 0 ? per * s->variance / (s->mean * (1 - s->mean)) : 1;
    return games * (rare + DOUBT) / (rare * spread + DOUBT);
}

struct estimate score_estimate(const struct score *score) {
    const struct score_sample s = observe(score, 0);
    if (s.count == 0)
        return (struct estimate){
            .points = 0.5, .low = -INFINITY, .high = INFINITY, .points_high = 1};
    const double n = free_games(score, &s), z2 = Z * Z;
    const double middle = (s.mean + z2 / (2 * n)) / (1 + z2 / n);
    const double reach = Z * sqrt(s.mean * (1 - s.mean) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    const double low = fmax(middle - reach, 0), high = fmin(middle + reach, 1);
    return (struct estimate){.points = s.mean,
                             .elo = elo_of(s.mean),
                             .low = s.mean > 0 ? elo_of(low) : -INFINITY,
                             .high = s.mean < 1 ? elo_of(high) : INFINITY,
                             .points_low = s.mean > 0 ? low : 0,
                             .points_high = s.mean < 1 ? high : 1};
}

// A finite number with `stop` right behind it.
static bool read_elo(const char *text, char stop, double *elo, const char **rest) {
    char *end;
    *elo = strtod(text, &end);
    *rest = end + 1;
    return end != text && *end == stop && isfinite(*elo);
}

bool sprt_read(struct sprt *sprt, const char *text) {
    const char *rest;
    return read_elo(text, ',', &sprt->elo0, &rest) && read_elo(rest, '\0', &sprt->elo1, &rest) &&
           sprt->elo0 < sprt->elo1;
}

double sprt_bound(void) { return log((1 - 0.05) / 0.05); }

double sprt_ratio(const struct sprt *sprt, const struct score *score) {
    const struct score_sample s = observe(score, 0.5); // so that a first lucky pair decides nothing
    const double p0 = points_of(sprt->elo0), p1 = points_of(sprt->elo1);
    if (score_games(score) == 0)
        return 0;
    return s.count * (p1 - p0) * (2 * s.mean - p0 - p1) / (2 * s.variance);
}

enum sprt_result sprt_result(const struct sprt *sprt, const struct score *score) {
    const double ratio = sprt_ratio(sprt, score);
    return ratio >= sprt_bound()    ? SPRT_ACCEPTED
           : ratio <= -sprt_bound() ? SPRT_REJECTED
                                    : SPRT_RUNNING;
}
