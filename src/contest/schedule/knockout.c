// SPDX-License-Identifier: MIT
// Who loses is out, once or twice, and the tables of both.
//
// A bracket of k rounds has 2^k places; where there are fewer players the best seeds have nobody to
// meet at first. A meeting can begin as soon as the two before it are over.
//
// In a double elimination the losers' bracket runs beside that of the winners: 2(k - 1) rounds, of
// which the even ones pair those who are left there, and the odd ones set them against the losers
// that come down from the next round of the winners' (the first even round pairs the losers of the
// winners' first). Then the two that are left meet; if the one from the losers' side wins, once
// more.
//
// The table is made from the meetings alone: who is still in, then who went out last.
#include "contest/schedule/knockout.h"

#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>

enum { LOSERS = 1000, FINAL = 2000 }; // where the rounds of these begin

int bracket_rounds(int players) {
    int rounds = 0;
    while (1 << rounds < players)
        rounds++;
    return rounds;
}

// From the final backwards: who has seed s in a bracket of k places meets 2k - 1 - s in one of 2k.
int bracket_entrant(int place, int rounds, int players) {
    int seed = 0;
    for (int size = 1; size < 1 << rounds; size *= 2)
        if ((place >> (rounds - bracket_rounds(2 * size)) & 1) != 0)
            seed = 2 * size - 1 - seed;
    return seed < players ? seed : NOBODY;
}

int bracket_winner(const struct meeting *m) {
    if (m->player[1] == NOBODY)
        return m->player[0];
    if (m->winner != NOBODY)
        return m->player[m->winner];
    return m->player[0] < m->player[1] ? m->player[0] : m->player[1];
}

int bracket_loser(const struct meeting *m) {
    if (m->player[1] == NOBODY)
        return NOBODY;
    return m->player[0] == bracket_winner(m) ? m->player[1] : m->player[0];
}

// Meetings, and where those that can begin go.
struct bracket {
    const struct meetings *known;
    struct meetings *list;
    int rounds;
};

static const struct meeting *find(const struct bracket *t, int round, int table) {
    const struct meeting *m = meetings_find(t->known, round, table);
    return m ? m : meetings_find(t->list, round, table);
}

static bool over(const struct bracket *t, int round, int table) {
    const struct meeting *m = find(t, round, table);
    return m && m->is_over;
}

static void add(const struct bracket *t, int round, int table, int a, int b) {
    if (!find(t, round, table))
        meetings_add(t->list, round, table, a, b);
}

static int winner(const struct bracket *t, int round, int table) {
    return bracket_winner(find(t, round, table));
}

static int loser(const struct bracket *t, int round, int table) {
    return bracket_loser(find(t, round, table));
}

static void add_winners(const struct bracket *t, int round) {
    for (int table = 0; table < 1 << (t->rounds - 1 - round); table++)
        if (over(t, round - 1, 2 * table) && over(t, round - 1, 2 * table + 1))
            add(t, round, table, winner(t, round - 1, 2 * table),
                winner(t, round - 1, 2 * table + 1));
}

static void add_winners_bracket(const struct bracket *t, int players) {
    for (int table = 0; table < 1 << (t->rounds - 1); table++)
        add(t, 0, table, bracket_entrant(2 * table, t->rounds, players),
            bracket_entrant(2 * table + 1, t->rounds, players));
    for (int round = 1; round < t->rounds; round++)
        add_winners(t, round);
}

static const char *knockout_refuse(const struct format *format, int players) {
    (void)format;
    return players < 2 ? "a knock-out needs two players or more" : NULL;
}

static void knockout_next(const struct format *format, const struct field *field,
                          const struct meetings *known, struct meetings *list) {
    const struct bracket t = {known, list, bracket_rounds(field->count)};
    const int semi = t.rounds - 2;
    add_winners_bracket(&t, field->count);
    if (format->third && field->count > 3 && over(&t, semi, 0) && over(&t, semi, 1))
        add(&t, semi + 1, 1, loser(&t, semi, 0), loser(&t, semi, 1));
}

static int knockout_total(const struct format *format, const struct field *field) {
    return (1 << bracket_rounds(field->count)) - 1 + (format->third && field->count > 3);
}

static int knockout_byes(const struct format *format, const struct field *field) {
    (void)format;
    return (1 << bracket_rounds(field->count)) - field->count;
}

const struct schedule schedule_knockout = {
    .name = "knockout",
    .help = "who loses is out; `third`: the losers of the semi-finals meet too",
    .eliminates = true,
    .refuse = knockout_refuse,
    .next = knockout_next,
    .total = knockout_total,
    .byes = knockout_byes,
};

// Round 0 of the losers' bracket, then 2j - 1 (against those who come down) and 2j.
static void add_losers(const struct bracket *t, int round) {
    const int tables = 1 << (t->rounds - 2 - round / 2);
    for (int table = 0; table < tables; table++) {
        const int a = 2 * table, b = a + 1, up = (round + 1) / 2, from = tables - 1 - table;
        if (round == 0) {
            if (over(t, 0, a) && over(t, 0, b))
                add(t, LOSERS, table, loser(t, 0, a), loser(t, 0, b));
        } else if (round % 2) { // from the other end, so that no two meet again too soon
            if (over(t, LOSERS + round - 1, table) && over(t, up, from))
                add(t, LOSERS + round, table, loser(t, up, from),
                    winner(t, LOSERS + round - 1, table));
        } else if (over(t, LOSERS + round - 1, a) && over(t, LOSERS + round - 1, b)) {
            add(t, LOSERS + round, table, winner(t, LOSERS + round - 1, a),
                winner(t, LOSERS + round - 1, b));
        }
    }
}

static void add_final(const struct bracket *t) {
    const int last = t->rounds - 1, last_loser = LOSERS + 2 * (t->rounds - 1) - 1;
    if (!over(t, last, 0) || (t->rounds > 1 && !over(t, last_loser, 0)))
        return;
    const int first = winner(t, last, 0);
    const int second = t->rounds > 1 ? winner(t, last_loser, 0) : loser(t, last, 0);
    add(t, FINAL, 0, first, second);
    if (over(t, FINAL, 0) && winner(t, FINAL, 0) == second)
        add(t, FINAL + 1, 0, second, first);
}

static const char *double_refuse(const struct format *format, int players) {
    (void)format;
    return players < 2 ? "a double elimination needs two players or more" : NULL;
}

static void double_next(const struct format *format, const struct field *field,
                        const struct meetings *known, struct meetings *list) {
    (void)format;
    const struct bracket t = {known, list, bracket_rounds(field->count)};
    add_winners_bracket(&t, field->count);
    for (int round = 0; round < 2 * (t.rounds - 1); round++)
        add_losers(&t, round);
    add_final(&t);
}

static int double_total(const struct format *format, const struct field *field) {
    (void)format;
    return 2 * (1 << bracket_rounds(field->count)) - 1;
}

// Whoever is not there is missed once in each bracket.
static int double_byes(const struct format *format, const struct field *field) {
    (void)format;
    return 2 * ((1 << bracket_rounds(field->count)) - field->count);
}

int double_round(int round, const char **bracket) {
    *bracket = round >= FINAL ? "final" : round >= LOSERS ? "losers" : "winners";
    return round % LOSERS + 1;
}

const struct schedule schedule_double = {
    .name = "double",
    .help = "who loses twice is out",
    .eliminates = true,
    .refuse = double_refuse,
    .next = double_next,
    .total = double_total,
    .byes = double_byes,
};

// How far somebody came.
struct knockout_exit {
    int losses;
    int key; // the higher, the further: twice the round in which he went out
};

// The match of the losers of the semi-finals.
static bool is_third(const struct format *format, const struct meeting *m, int count) {
    return format->schedule == &schedule_knockout && format->third && m->table == 1 &&
           m->round == bracket_rounds(count) - 1;
}

static void find_exits(const struct format *format, const struct meetings *meetings, int count,
                       struct knockout_exit *exits) {
    const int lives = format->schedule == &schedule_double ? 2 : 1;
    for (int i = 0; i < meetings->count; i++) {
        const struct meeting *m = &meetings->list[i];
        if (!m->is_over || m->player[1] == NOBODY)
            continue;
        if (is_third(format, m, count)) {
            exits[bracket_winner(m)].key++;
            continue;
        }
        struct knockout_exit *loser = &exits[bracket_loser(m)];
        if (++loser->losses >= lives)
            loser->key += 2 * m->round;
    }
    for (int i = 0; i < count; i++)
        if (exits[i].losses < lives)
            exits[i].key = INT_MAX;
}

struct knockout_table {
    const int *keys; // by place in the contest
};

static int compare_exits(const void *a, const void *b, void *owner) {
    const struct standing *x = a, *y = b;
    const int *keys = ((const struct knockout_table *)owner)->keys;
    if (keys[x->player] != keys[y->player])
        return keys[x->player] > keys[y->player] ? -1 : 1;
    return (x->player > y->player) - (x->player < y->player);
}

void knockout_table_sort(const struct format *format, const struct meetings *meetings,
                         const int *players, const bool *disqualified, struct standing *standings,
                         int count) {
    if (!format->schedule->eliminates)
        return;
    int most = 0;
    for (int i = 0; i < count; i++)
        most = players[i] > most ? players[i] : most;
    struct knockout_exit *exits = mem_new((size_t)count, sizeof *exits);
    int *keys = mem_new((size_t)most + 1, sizeof *keys);
    find_exits(format, meetings, count, exits);
    for (int i = 0; i < count; i++)
        keys[players[i]] = disqualified[players[i]] ? -1 : exits[i].key;
    struct knockout_table table = {keys};
    qsort_r(standings, (size_t)count, sizeof *standings, compare_exits, &table);
    for (int i = 0; i < count; i++)
        standings[i].rank = i > 0 && keys[standings[i].player] == keys[standings[i - 1].player]
                                ? standings[i - 1].rank
                                : i + 1;
    free(exits);
    free(keys);
}
