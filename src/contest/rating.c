// SPDX-License-Identifier: MIT
// The likelihood is concave, so Newton's method finds its one maximum. The inverse of the negative
// second derivatives there is the covariance. Both need one linear system, solved by Cholesky's
// decomposition; with n players that costs n^3 / 6 a step, and a few steps are enough.
#include "contest/rating.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100, LANES = 8 };

static const double PRIOR_GAMES = 1;                   // drawn, against somebody of rating 0
static const double NATURAL = 400 / 2.302585092994046; // Elo points of one unit of log odds

struct rating_model {
    int n;
    double *played; // n * n: games of each pair
    double *points; // n: won, draws half
    double *x;      // n: strengths in log odds
    double *h;      // n * n: negative second derivatives, then their decomposition
    double *g;      // n: first derivatives, then the step
};

static double expected(double a, double b) { return 1 / (1 + exp(b - a)); }

static void differentiate(struct rating_model *m) {
    const size_t n = (size_t)m->n;
    memset(m->h, 0, n * n * sizeof *m->h);
    for (size_t i = 0; i < n; i++) {
        const double e = expected(m->x[i], 0);
        m->g[i] = m->points[i] + PRIOR_GAMES * (0.5 - e);
        m->h[i * n + i] += PRIOR_GAMES * e * (1 - e);
        for (size_t j = 0; j < n; j++) {
            const double count = m->played[i * n + j];
            if (count == 0)
                continue;
            const double p = expected(m->x[i], m->x[j]), w = count * p * (1 - p);
            m->g[i] -= count * p;
            m->h[i * n + i] += w;
            m->h[i * n + j] -= w;
        }
    }
}

// The sum of x[k] * y[k], in lanes that a processor can add up side by side.
static double dot(const double *x, const double *y, size_t n) {
    double lanes[LANES] = {0}, sum = 0;
    size_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (size_t l = 0; l < LANES; l++)
            lanes[l] += x[k + l] * y[k + l];
    for (; k < n; k++)
        sum += x[k] * y[k];
    for (size_t l = 0; l < LANES; l++)
        sum += lanes[l];
    return sum;
}

static void subtract(double *x, const double *y, double factor, size_t n) {
    for (size_t k = 0; k < n; k++)
        x[k] -= factor * y[k];
}

// h becomes its lower triangle L with L L^T = h.
static void decompose(double *h, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double *row = &h[i * n];
        for (size_t j = 0; j < i; j++)
            row[j] = (row[j] - dot(row, &h[j * n], j)) / h[j * n + j];
        row[i] = sqrt(row[i] - dot(row, row, i));
    }
}

static void solve(const double *l, size_t n, double *b) {
    for (size_t i = 0; i < n; i++)
        b[i] = (b[i] - dot(&l[i * n], b, i)) / l[i * n + i];
    for (size_t i = n; i-- > 0;) {
        b[i] /= l[i * n + i];
        subtract(b, &l[i * n], b[i], i);
    }
}

// Puts the inverse of L into its place: row by row, from the rows above.
static void invert_triangle(double *l, size_t n) {
    double *old = mem_new(n, sizeof *old);
    for (size_t i = 0; i < n; i++) {
        double *row = &l[i * n];
        const double diagonal = row[i];
        memcpy(old, row, i * sizeof *old);
        memset(row, 0, i * sizeof *row);
        for (size_t k = 0; k < i; k++)
            subtract(row, &l[k * n], old[k] / diagonal, k + 1);
        row[i] = 1 / diagonal;
    }
    free(old);
}

// c becomes M^T M, of which M is a lower triangle: the inverse of L L^T, if M is that of L.
static void square_triangle(const double *m, size_t n, double *c) {
    memset(c, 0, n * n * sizeof *c);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i <= k; i++)
            subtract(&c[i * n], &m[k * n], -m[k * n + i], i + 1);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            c[i * n + k] = c[k * n + i];
}

// One step of Newton's method, no longer than one unit; returns how long it was.
static double step(struct rating_model *m) {
    double longest = 0;
    differentiate(m);
    decompose(m->h, (size_t)m->n);
    solve(m->h, (size_t)m->n, m->g);
    for (int i = 0; i < m->n; i++)
        longest = fmax(longest, fabs(m->g[i]));
    for (int i = 0; i < m->n; i++)
        m->x[i] += longest > 1 ? m->g[i] / longest : m->g[i];
    return longest;
}

static void read_results(struct rating_model *m, const struct result *results, int count) {
    for (int i = 0; i < count; i++) {
        const int a = results[i].player[0], b = results[i].player[1];
        const int winner = results[i].winner, same = results[i].more + 1;
        if (a < 0 || b < 0 || winner == RESULT_NOBODY)
            continue;
        m->played[a * m->n + b] += same;
        m->played[b * m->n + a] += same;
        m->points[a] += same * (winner < 0 ? 0.5 : winner == 0);
        m->points[b] += same * (winner < 0 ? 0.5 : winner == 1);
    }
}

// Ratings are told from their mean, so what is uncertain of the mean itself is taken out.
static void centre(double *c, size_t n) {
    double *means = mem_new(n, sizeof *means), mean = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++)
            means[i] += c[i * n + k] / (double)n;
        mean += means[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            c[i * n + k] += mean - means[i] - means[k];
    free(means);
}

static void read_model(struct ratings *r, const struct rating_model *m) {
    const size_t n = (size_t)m->n;
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += m->x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        r->elo[i] = (m->x[i] - mean) * NATURAL;
    invert_triangle(m->h, n);
    square_triangle(m->h, n, r->covariance);
    for (size_t i = 0; i < n * n; i++)
        r->covariance[i] *= NATURAL * NATURAL;
    centre(r->covariance, n);
}

struct ratings *ratings_new(const struct result *results, int count, int players) {
    const size_t n = (size_t)players;
    struct ratings *r = mem_new(1, sizeof *r);
    struct rating_model m = {.n = players,
                             .played = mem_new(n * n, sizeof(double)),
                             .points = mem_new(n, sizeof(double)),
                             .x = mem_new(n, sizeof(double)),
                             .h = mem_new(n * n, sizeof(double)),
                             .g = mem_new(n, sizeof(double))};
    *r = (struct ratings){.players = players,
                          .elo = mem_new(n, sizeof(double)),
                          .covariance = mem_new(n * n, sizeof(double))};
    read_results(&m, results, count);
    for (int i = 0; i < STEPS_MAX && step(&m) > 1e-9; i++)
        ;
    read_model(r, &m);
    free(m.played);
    free(m.points);
    free(m.x);
    free(m.h);
    free(m.g);
    return r;
}

void ratings_free(struct ratings *r) {
    if (!r)
        return;
    free(r->elo);
    free(r->covariance);
    free(r);
}

double ratings_error(const struct ratings *r, int player) {
    return 1.96 * sqrt(r->covariance[player * r->players + player]);
}

double ratings_superiority(const struct ratings *r, int a, int b) {
    const int n = r->players;
    const double variance =
        r->covariance[a * n + a] + r->covariance[b * n + b] - 2 * r->covariance[a * n + b];
    const double difference = r->elo[a] - r->elo[b];
    return variance > 0 ? 0.5 * erfc(-difference / sqrt(2 * variance)) : 0.5;
}
