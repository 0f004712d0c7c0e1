// SPDX-License-Identifier: MIT
#include "contest/ladder.h"

#include "base/mem.h"
#include "contest/bracket.h"
#include "contest/schedules.h"

#include <limits.h>
#include <stdlib.h>

struct rung {
    int losses;
    int key; // the higher, the further: twice the round in which he went out
};

// The match of the losers of the semi-finals.
static bool is_third(const struct format *format, const struct meeting *m, int count) {
    return format->schedule == &schedule_knockout && format->third && m->table == 1 &&
           m->round == bracket_rounds(count) - 1;
}

static void climb(const struct format *format, const struct meetings *meetings, int count,
                  struct rung *rungs) {
    const int lives = format->schedule == &schedule_double ? 2 : 1;
    for (int i = 0; i < meetings->count; i++) {
        const struct meeting *m = &meetings->list[i];
        if (!m->is_over || m->player[1] == NOBODY)
            continue;
        if (is_third(format, m, count)) {
            rungs[bracket_winner(m)].key++;
            continue;
        }
        struct rung *loser = &rungs[bracket_loser(m)];
        if (++loser->losses >= lives)
            loser->key += 2 * m->round;
    }
    for (int i = 0; i < count; i++)
        if (rungs[i].losses < lives)
            rungs[i].key = INT_MAX;
}

struct ladder {
    const int *keys; // by place in the contest
};

static int compare_rungs(const void *a, const void *b, void *owner) {
    const struct standing *x = a, *y = b;
    const int *keys = ((const struct ladder *)owner)->keys;
    if (keys[x->player] != keys[y->player])
        return keys[x->player] > keys[y->player] ? -1 : 1;
    return (x->player > y->player) - (x->player < y->player);
}

void ladder_sort(const struct format *format, const struct meetings *meetings, const int *players,
                 const bool *disqualified, struct standing *standings, int count) {
    if (format->schedule != &schedule_knockout && format->schedule != &schedule_double)
        return;
    int most = 0;
    for (int i = 0; i < count; i++)
        most = players[i] > most ? players[i] : most;
    struct rung *rungs = mem_new((size_t)count, sizeof *rungs);
    int *keys = mem_new((size_t)most + 1, sizeof *keys);
    climb(format, meetings, count, rungs);
    for (int i = 0; i < count; i++)
        keys[players[i]] = disqualified[players[i]] ? -1 : rungs[i].key;
    struct ladder ladder = {keys};
    qsort_r(standings, (size_t)count, sizeof *standings, compare_rungs, &ladder);
    for (int i = 0; i < count; i++)
        standings[i].rank = i > 0 && keys[standings[i].player] == keys[standings[i - 1].player]
                                ? standings[i - 1].rank
                                : i + 1;
    free(rungs);
    free(keys);
}
