// SPDX-License-Identifier: MIT
// Every opening is played twice, colours swapped, so what is counted is pairs: their points and
// margins are sums with squares, for errors that know that the two games of a pair are alike.
#include "train/tower4/duel.h"

#include "base/mem.h"
#include "base/rng.h"
#include "games/bits.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { OPENING_MIN = 4, OPENING_MORE = 4, TT_BYTES = 1 << 24 };

struct duel_table {
    const struct duel *duel;
    struct tower_search *search[2]; // of the rivals
    struct stop stop;
    struct duel_tally *tally;
};

static void spread_add(struct spread *s, double value) {
    s->sum += value;
    s->squares += value * value;
    s->count++;
}

static void spread_join(struct spread *s, const struct spread *part) {
    s->sum += part->sum;
    s->squares += part->squares;
    s->count += part->count;
}

static double spread_mean(const struct spread *s) { return s->sum / (double)s->count; }

static double spread_error(const struct spread *s) {
    const double count = (double)s->count, mean = s->sum / count;
    const double variance = s->squares / count - mean * mean;
    return 1.96 * sqrt(variance > 0 ? variance / count : 0);
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int choose(struct duel_table *t, int who, const uint8_t *columns, int count) {
    const struct rival *rival = &t->duel->rival[who];
    struct tower_search *s = t->search[who];
    struct thought thought = {.length = 0};
    tower_init(&s->board, t->duel->lattice, rival->net);
    for (int i = 0; i < count; i++)
        tower_drop(&s->board, columns[i]);
    if (!(rival->without >> TECHNIQUE_VIEWS & 1))
        tower_mirror(&s->board);
    tt_clear(s->tt, t->duel->nodes);
    const double begin = cpu_seconds();
    tower_search_think(s, t->duel->nodes, &thought);
    t->tally->seconds[who] += cpu_seconds() - begin;
    t->tally->nodes[who] += (int64_t)s->nodes;
    t->tally->depths[who] += thought.depth;
    t->tally->moves[who]++;
    return t->duel->lattice->column[thought.pv[0]];
}

// A game after its opening; rival `first` is black. Returns the margin of rival 0.
static int play(struct duel_table *t, int first, uint8_t *columns, int count) {
    struct tower_board *tower = mem_lines(sizeof *tower);
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
    struct tower_board *tower = mem_lines(sizeof *tower);
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

static double count_game(struct duel_tally *tally, int margin) {
    tally->won += margin > 0;
    tally->drawn += margin == 0;
    tally->lost += margin < 0;
    return margin > 0 ? 1 : margin == 0 ? 0.5 : 0;
}

static void table_init(struct duel_table *t, const struct duel *s, struct duel_tally *tally) {
    *t = (struct duel_table){.duel = s, .tally = tally};
    for (int who = 0; who < 2; who++) {
        t->search[who] = mem_lines(sizeof **t->search);
        t->search[who]->tt = tt_new(TT_BYTES);
        t->search[who]->stop = &t->stop;
        t->search[who]->without = s->rival[who].without;
    }
}

static void table_done(struct duel_table *t) {
    for (int who = 0; who < 2; who++) {
        tt_free(t->search[who]->tt);
        free(t->search[who]);
    }
}

void duel_play(const struct duel *s, struct duel_tally *tally) {
    struct duel_table t;
    *tally = (struct duel_tally){.won = 0};
    table_init(&t, s, tally);
    for (int pair = s->first; pair < s->first + s->pairs; pair++) {
        uint8_t columns[DROPS_MAX];
        const int opening = open(s, pair, columns);
        const int black = play(&t, 0, columns, opening), white = play(&t, 1, columns, opening);
        const double both = count_game(tally, black) + count_game(tally, white);
        spread_add(&tally->points, both / 2);
        spread_add(&tally->margins, (black + white) / 2.0);
    }
    table_done(&t);
}

void tally_add(struct duel_tally *t, const struct duel_tally *part) {
    t->won += part->won;
    t->drawn += part->drawn;
    t->lost += part->lost;
    spread_join(&t->points, &part->points);
    spread_join(&t->margins, &part->margins);
    for (int who = 0; who < 2; who++) {
        t->depths[who] += part->depths[who];
        t->moves[who] += part->moves[who];
        t->nodes[who] += part->nodes[who];
        t->seconds[who] += part->seconds[who];
    }
}

static double share(double sum, int64_t count) { return count ? sum / (double)count : 0; }

void tally_write(const struct duel_tally *t, struct buf *out) {
    buf_format(out,
               "%" PRId64 " won, %" PRId64 " drawn, %" PRId64 " lost, %.1f %% +- %.1f, "
               "margin %+.1f +- %.1f",
               t->won, t->drawn, t->lost, 100 * spread_mean(&t->points),
               100 * spread_error(&t->points), spread_mean(&t->margins), spread_error(&t->margins));
    buf_format(out, ", depth %.1f against %.1f, %.2f s a million nodes against %.2f",
               share((double)t->depths[0], t->moves[0]), share((double)t->depths[1], t->moves[1]),
               share(1e6 * t->seconds[0], t->nodes[0]), share(1e6 * t->seconds[1], t->nodes[1]));
}
