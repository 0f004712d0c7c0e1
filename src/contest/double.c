// SPDX-License-Identifier: MIT
// Who loses twice is out. Beside the winners' bracket of k rounds runs the losers': 2(k - 1)
// rounds, of which the even ones pair those who are left there, and the odd ones set them against
// the losers that come down from the next round of the winners' (the first even round pairs the
// losers of the winners' first). Then the two that are left meet; if the one from the losers' side
// wins, once more.
#include "contest/bracket.h"
#include "contest/schedules.h"

#include <stddef.h>

enum { LOSERS = 1000, FINAL = 2000 }; // where the rounds of these begin

struct tree {
    const struct meetings *known;
    struct meetings *list;
    int rounds;
};

static const char *refuse(const struct format *format, int players) {
    (void)format;
    return players < 2 ? "a double elimination needs two players or more" : NULL;
}

static const struct meeting *find(const struct tree *t, int round, int table) {
    const struct meeting *m = meetings_find(t->known, round, table);
    return m ? m : meetings_find(t->list, round, table);
}

static bool over(const struct tree *t, int round, int table) {
    const struct meeting *m = find(t, round, table);
    return m && m->is_over;
}

static void add(const struct tree *t, int round, int table, int a, int b) {
    if (!find(t, round, table))
        meetings_add(t->list, round, table, a, b);
}

static int winner(const struct tree *t, int round, int table) {
    return bracket_winner(find(t, round, table));
}

static int loser(const struct tree *t, int round, int table) {
    return bracket_loser(find(t, round, table));
}

static void add_winners(const struct tree *t, int round) {
    for (int table = 0; table < 1 << (t->rounds - 1 - round); table++)
        if (over(t, round - 1, 2 * table) && over(t, round - 1, 2 * table + 1))
            add(t, round, table, winner(t, round - 1, 2 * table),
                winner(t, round - 1, 2 * table + 1));
}

// Round 0 of the losers' bracket, then 2j - 1 (against those who come down) and 2j.
static void add_losers(const struct tree *t, int round) {
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

static void add_final(const struct tree *t) {
    const int last = t->rounds - 1, last_loser = LOSERS + 2 * (t->rounds - 1) - 1;
    if (!over(t, last, 0) || (t->rounds > 1 && !over(t, last_loser, 0)))
        return;
    const int first = winner(t, last, 0);
    const int second = t->rounds > 1 ? winner(t, last_loser, 0) : loser(t, last, 0);
    add(t, FINAL, 0, first, second);
    if (over(t, FINAL, 0) && winner(t, FINAL, 0) == second)
        add(t, FINAL + 1, 0, second, first);
}

static void next(const struct format *format, const struct field *field,
                 const struct meetings *known, struct meetings *list) {
    (void)format;
    const struct tree t = {known, list, bracket_rounds(field->count)};
    for (int table = 0; table < 1 << (t.rounds - 1); table++)
        add(&t, 0, table, bracket_entrant(2 * table, t.rounds, field->count),
            bracket_entrant(2 * table + 1, t.rounds, field->count));
    for (int round = 1; round < t.rounds; round++)
        add_winners(&t, round);
    for (int round = 0; round < 2 * (t.rounds - 1); round++)
        add_losers(&t, round);
    add_final(&t);
}

static int total(const struct format *format, const struct field *field) {
    (void)format;
    return 2 * (1 << bracket_rounds(field->count)) - 1;
}

// Whoever is not there is missed once in each bracket.
static int byes(const struct format *format, const struct field *field) {
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
    .refuse = refuse,
    .next = next,
    .total = total,
    .byes = byes,
};
