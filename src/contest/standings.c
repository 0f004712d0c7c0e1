// SPDX-License-Identifier: MIT
// Points first, then the tie-breaks of the table in their order. Those that look at opponents are
// kept doubled, so that halves are whole numbers. The direct comparison counts only the games among
// those who are equal up to there, so it is worked out when all before it are known.
#include "contest/standings.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
#define TIE_BREAK_WORD(id, word, words) word,
    TIE_BREAKS(TIE_BREAK_WORD)
#undef TIE_BREAK_WORD
};

const char *tie_break_word(enum tie_break tie_break) { return words[tie_break]; }

enum tie_break tie_break_find(const char *word) {
    enum tie_break t = 0;
    while (t < TIE_BREAK_COUNT && strcmp(words[t], word) != 0)
        t++;
    return t;
}

// The points a player got: place 0 or 1.
static int points_of(const struct table_rules *rules, const struct result *r, int place) {
    const int points = r->winner < 0 ? rules->draw : r->winner == place ? rules->win : rules->loss;
    return points * (r->more + 1);
}

static void count_result(const struct table_rules *rules, const struct result *r,
                         struct standing *by_player) {
    for (int place = 0; place < 2; place++) {
        if (r->player[place] < 0)
            continue;
        struct standing *s = &by_player[r->player[place]];
        const int count = r->more + 1, won = r->winner == place ? count : 0;
        s->played += count;
        s->won += won;
        s->drawn += r->winner < 0 ? count : 0;
        s->lost += r->winner == 1 - place || r->winner == RESULT_NOBODY ? count : 0;
        s->points += points_of(rules, r, place);
        s->tie[TIE_BREAK_WINS] += won;
        s->tie[TIE_BREAK_DIFFERENCE] += r->scores[place] - r->scores[1 - place];
    }
}

// What depends on the points of the opponents, once these are known.
static void count_opponents(const struct result *r, struct standing *by_player) {
    if (r->player[1] < 0)
        return;
    for (int place = 0; place < 2; place++) {
        struct standing *s = &by_player[r->player[place]];
        const int theirs = by_player[r->player[1 - place]].points;
        const int count = r->more + 1;
        s->tie[TIE_BREAK_BUCHHOLZ] += 2 * theirs * count;
        s->tie[TIE_BREAK_SONNEBORN] += r->winner == place ? 2 * theirs * count
                                       : r->winner < 0    ? theirs * count
                                                          : 0;
    }
}

struct rank_order {
    const struct table_rules *rules;
    const bool *disqualified;
    int breaks; // how many of the tie-breaks count
};

static int compare(const struct standing *x, const struct standing *y, const struct rank_order *o) {
    const bool x_out = o->disqualified && o->disqualified[x->player],
               y_out = o->disqualified && o->disqualified[y->player];
    if (x_out != y_out)
        return x_out ? 1 : -1;
    if (x->points != y->points)
        return x->points < y->points ? 1 : -1;
    for (int i = 0; i < o->breaks; i++) {
        const enum tie_break t = o->rules->breaks[i];
        if (x->tie[t] != y->tie[t])
            return x->tie[t] < y->tie[t] ? 1 : -1;
    }
    return 0;
}

static int compare_for_sort(const void *a, const void *b, void *order) {
    const struct standing *x = a, *y = b;
    const int c = compare(x, y, order);
    return c ? c : (x->player > y->player) - (x->player < y->player);
}

// Points from the games among those who are equal in all that comes before this tie-break.
static void count_direct(const struct rank_order *before, const struct result *results, int count,
                         struct standing *standings, int players) {
    int *of_player = mem_new((size_t)players, sizeof *of_player);
    for (int i = 0; i < players; i++)
        of_player[standings[i].player] = i;
    for (int i = 0; i < count; i++) {
        const struct result *r = &results[i];
        if (r->player[1] < 0)
            continue;
        struct standing *s[2] = {&standings[of_player[r->player[0]]],
                                 &standings[of_player[r->player[1]]]};
        for (int place = 0; compare(s[0], s[1], before) == 0 && place < 2; place++)
            s[place]->tie[TIE_BREAK_DIRECT] += points_of(before->rules, r, place);
    }
    free(of_player);
}

static void sort(const struct rank_order *order, const struct result *results, int count,
                 struct standing *standings, int players) {
    for (int i = 0; i < order->rules->break_count; i++)
        if (order->rules->breaks[i] == TIE_BREAK_DIRECT) {
            const struct rank_order before = {order->rules, order->disqualified, i};
            count_direct(&before, results, count, standings, players);
        }
    qsort_r(standings, (size_t)players, sizeof *standings, compare_for_sort, (void *)order);
    for (int i = 0; i < players; i++)
        standings[i].rank = i > 0 && compare(&standings[i - 1], &standings[i], order) == 0
                                ? standings[i - 1].rank
                                : i + 1;
}

void standings_make(const struct table_rules *rules, const struct result *results, int count,
                    const bool *disqualified, int players, struct standing *standings) {
    const struct rank_order order = {rules, disqualified, rules->break_count};
    for (int i = 0; i < players; i++)
        standings[i] = (struct standing){.player = i};
    for (int i = 0; i < count; i++)
        count_result(rules, &results[i], standings);
    for (int i = 0; i < players; i++)
        if (disqualified && disqualified[i])
            standings[i].points = 0;
    for (int i = 0; i < count; i++)
        count_opponents(&results[i], standings);
    sort(&order, results, count, standings, players);
}
