// SPDX-License-Identifier: MIT
#include "engine/tower4/duel.h"

#include "base/mem.h"
#include "base/rng.h"
#include "games/bits.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { OPENING_MIN = 4, OPENING_MORE = 4, MEMO_BYTES = 1 << 24 };

struct table {
    const struct duel *duel;
    struct search *search[2]; // of the rivals
    struct stop stop;
    int64_t depths[2], moves[2];
    uint64_t nodes[2];
    double seconds[2];
};

// Mean, and half of its 95 % interval.
struct spread {
    double sum, squares;
    int count;
};

static void spread_add(struct spread *s, double value) {
    s->sum += value;
    s->squares += value * value;
    s->count++;
}

static double spread_mean(const struct spread *s) { return s->sum / s->count; }

static double spread_error(const struct spread *s) {
    const double mean = spread_mean(s), variance = s->squares / s->count - mean * mean;
    return 1.96 * sqrt(variance > 0 ? variance / s->count : 0);
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int choose(struct table *t, int who, const uint8_t *columns, int count) {
    const struct rival *rival = &t->duel->rival[who];
    struct search *s = t->search[who];
    struct thought thought = {.length = 0};
    tower_init(&s->board, t->duel->lattice, rival->net);
    for (int i = 0; i < count; i++)
        tower_drop(&s->board, columns[i]);
    if (!(rival->without >> TECHNIQUE_VIEWS & 1))
        tower_mirror(&s->board);
    memo_clear(s->memo, t->duel->nodes);
    const double begin = cpu_seconds();
    tower_search_think(s, t->duel->nodes, &thought);
    t->seconds[who] += cpu_seconds() - begin;
    t->nodes[who] += s->nodes;
    t->depths[who] += thought.depth;
    t->moves[who]++;
    return t->duel->lattice->column[thought.pv[0]];
}

// A game after its opening; rival `first` is black. Returns the margin of rival 0.
static int play(struct table *t, int first, uint8_t *columns, int count) {
    struct tower *tower = mem_new(1, sizeof *tower);
    int points[2] = {0, 0};
    tower_init(tower, t->duel->lattice, t->duel->rival[0].net);
    for (int i = 0; tower->left > 0; i++) {
        if (i >= count)
            columns[i] = (uint8_t)choose(t, tower->side ^ first, columns, i);
        const int cell = tower_cell(tower, columns[i]);
        points[tower->side ^ first] += tower_worth(tower, tower->threes[tower->side][cell]);
        tower_drop(tower, columns[i]);
    }
    free(tower);
    return points[0] - points[1];
}

static int open(const struct duel *s, int number, uint8_t *columns) {
    struct rng rng = {s->seed * UINT64_C(1000003) + (uint64_t)number};
    struct tower *tower = mem_new(1, sizeof *tower);
    int count = OPENING_MIN + (int)rng_below(&rng, OPENING_MORE + 1);
    tower_init(tower, s->lattice, s->rival[0].net);
    count = count < s->lattice->pieces ? count : s->lattice->pieces;
    for (int i = 0; i < count; i++) {
        const uint32_t free_columns = tower_columns(tower);
        const uint32_t n = rng_below(&rng, (uint32_t)bits_count(free_columns));
        columns[i] = (uint8_t)bits_nth(free_columns, (int)n);
        tower_drop(tower, columns[i]);
    }
    free(tower);
    return count;
}

static double count_game(struct tally *tally, int margin) {
    tally->won += margin > 0;
    tally->drawn += margin == 0;
    tally->lost += margin < 0;
    return margin > 0 ? 1 : margin == 0 ? 0.5 : 0;
}

static void table_init(struct table *t, const struct duel *s) {
    *t = (struct table){.duel = s};
    for (int who = 0; who < 2; who++) {
        t->search[who] = mem_new(1, sizeof **t->search);
        t->search[who]->memo = memo_new(MEMO_BYTES);
        t->search[who]->stop = &t->stop;
        t->search[who]->without = s->rival[who].without;
    }
}

static void table_done(struct table *t) {
    for (int who = 0; who < 2; who++) {
        memo_free(t->search[who]->memo);
        free(t->search[who]);
    }
}

void duel_play(const struct duel *s, struct tally *tally) {
    struct table t;
    struct spread points = {.count = 0}, margins = {.count = 0};
    *tally = (struct tally){.won = 0};
    table_init(&t, s);
    for (int pair = 0; pair < s->pairs; pair++) {
        uint8_t columns[DROPS_MAX];
        const int opening = open(s, pair, columns);
        const int black = play(&t, 0, columns, opening), white = play(&t, 1, columns, opening);
        const double both = count_game(tally, black) + count_game(tally, white);
        spread_add(&points, both / 2);
        spread_add(&margins, (black + white) / 2.0);
    }
    tally->points = spread_mean(&points);
    tally->points_error = spread_error(&points);
    tally->margin = spread_mean(&margins);
    tally->margin_error = spread_error(&margins);
    for (int who = 0; who < 2; who++) {
        tally->depth[who] = (double)t.depths[who] / (double)t.moves[who];
        tally->second[who] = t.seconds[who] * 1e6 / (double)t.nodes[who];
    }
    table_done(&t);
}

void tally_write(const struct tally *t, struct buf *out) {
    buf_format(out,
               "%d won, %d drawn, %d lost, %.1f %% +- %.1f, margin %+.1f +- %.1f, depth %.1f "
               "against %.1f, %.2f s a million nodes against %.2f",
               t->won, t->drawn, t->lost, 100 * t->points, 100 * t->points_error, t->margin,
               t->margin_error, t->depth[0], t->depth[1], t->second[0], t->second[1]);
}
