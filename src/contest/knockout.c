// SPDX-License-Identifier: MIT
// Who loses is out. A meeting can begin as soon as the two before it are over.
#include "contest/bracket.h"
#include "contest/schedules.h"

#include <stddef.h>

static const char *refuse(const struct format *format, int players) {
    (void)format;
    return players < 2 ? "a knock-out needs two players or more" : NULL;
}

static void add(const struct meetings *known, struct meetings *list, int round, int table, int a,
                int b) {
    if (!meetings_find(known, round, table) && !meetings_find(list, round, table))
        meetings_add(list, round, table, a, b);
}

// The meeting of that name if it is over.
static const struct meeting *over(const struct meetings *known, const struct meetings *list,
                                  int round, int table) {
    const struct meeting *m = meetings_find(known, round, table);
    if (!m)
        m = meetings_find(list, round, table);
    return m && m->is_over ? m : NULL;
}

static void next(const struct format *format, const struct field *field,
                 const struct meetings *known, struct meetings *list) {
    const int rounds = bracket_rounds(field->count);
    for (int table = 0; table < 1 << (rounds - 1); table++)
        add(known, list, 0, table, bracket_entrant(2 * table, rounds, field->count),
            bracket_entrant(2 * table + 1, rounds, field->count));
    for (int round = 1; round < rounds; round++)
        for (int table = 0; table < 1 << (rounds - 1 - round); table++) {
            const struct meeting *a = over(known, list, round - 1, 2 * table),
                                 *b = over(known, list, round - 1, 2 * table + 1);
            if (!a || !b)
                continue;
            const int winners[2] = {bracket_winner(a), bracket_winner(b)},
                      losers[2] = {bracket_loser(a), bracket_loser(b)};
            add(known, list, round, table, winners[0], winners[1]);
            if (format->third && round == rounds - 1 && field->count > 3)
                add(known, list, round, 1, losers[0], losers[1]);
        }
}

static int total(const struct format *format, const struct field *field) {
    return (1 << bracket_rounds(field->count)) - 1 + (format->third && field->count > 3);
}

static int byes(const struct format *format, const struct field *field) {
    (void)format;
    return (1 << bracket_rounds(field->count)) - field->count;
}

const struct schedule schedule_knockout = {
    .name = "knockout",
    .help = "who loses is out; `third`: the losers of the semi-finals meet too",
    .refuse = refuse,
    .next = next,
    .total = total,
    .byes = byes,
};
