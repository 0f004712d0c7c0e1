// SPDX-License-Identifier: MIT
// Schedules that are known from the beginning, so that all of it can be played at the same time. In
// a league everybody meets everybody, by the circle method: one player sits still, the others move
// on by a chair a round. In a gauntlet a few challengers meet everybody else, but not each other.
#include "base/mem.h"
#include "contest/schedule/schedule.h"

#include <stdlib.h>

static const char *league_refuse(const struct format *format, int players) {
    return players < 2 ? "a league needs two players or more"
           : format->groups > 1 && players < 2 * format->groups
               ? "a group needs two players or more"
               : NULL;
}

static int members_of(const struct format *format, const struct field *field, int group,
                      int *members) {
    int count = 0;
    for (int i = 0; i < field->count; i++)
        if (format->groups <= 1 || field->entrants[i].group == group)
            members[count++] = i;
    return count;
}

// One round of `count` members; chairs is count, or one more where somebody rests. Adds the
// meetings from this table on, and returns the next free one.
static int add_round(struct meetings *list, const int *members, int count, int round, int table) {
    const int chairs = count + count % 2, moving = chairs - 1;
    const int turn = round % moving, cycle = round / moving;
    for (int i = 0; i < chairs / 2; i++) {
        const int a = i == 0 ? moving : (turn + i) % moving, b = (turn + moving - i) % moving;
        if (a >= count || b >= count)
            continue;
        // Who sits still changes colour every round; the others by their chair.
        const bool swap = (i == 0 ? turn % 2 : i % 2) != cycle % 2;
        meetings_add(list, round, table++, members[swap ? b : a], members[swap ? a : b]);
    }
    return table;
}

static void league_next(const struct format *format, const struct field *field,
                        const struct meetings *known, struct meetings *list) {
    if (known->count > 0)
        return;
    int *members = mem_new((size_t)field->count, sizeof *members);
    for (int round = 0, left = 1; left > 0; round++) {
        left = 0;
        for (int group = 0, table = 0; group < format->groups; group++) {
            const int count = members_of(format, field, group, members);
            const int rounds = count + count % 2 - 1;
            if (count < 2 || round >= rounds * format->cycles)
                continue;
            table = add_round(list, members, count, round, table);
            left++;
        }
    }
    free(members);
}

static int league_total(const struct format *format, const struct field *field) {
    int *members = mem_new((size_t)field->count, sizeof *members), sum = 0;
    for (int group = 0; group < format->groups; group++) {
        const int count = members_of(format, field, group, members);
        sum += count * (count - 1) / 2 * format->cycles;
    }
    free(members);
    return sum;
}

const struct schedule schedule_league = {
    .name = "league",
    .help = "everybody meets everybody, `cycles` times; within `groups` if there are any",
    .refuse = league_refuse,
    .next = league_next,
    .total = league_total,
    .byes = schedule_no_byes,
};

static const char *gauntlet_refuse(const struct format *format, int players) {
    return format->challengers < 1          ? "a gauntlet needs a challenger"
           : players <= format->challengers ? "a gauntlet needs players besides the challengers"
                                            : NULL;
}

static void gauntlet_next(const struct format *format, const struct field *field,
                          const struct meetings *known, struct meetings *list) {
    if (known->count > 0)
        return;
    for (int cycle = 0; cycle < format->cycles; cycle++)
        for (int other = format->challengers; other < field->count; other++) {
            const int round =
                cycle * (field->count - format->challengers) + other - format->challengers;
            for (int c = 0; c < format->challengers; c++) {
                const bool swap = (round + cycle + c) % 2;
                meetings_add(list, round, c, swap ? other : c, swap ? c : other);
            }
        }
}

static int gauntlet_total(const struct format *format, const struct field *field) {
    return format->cycles * format->challengers * (field->count - format->challengers);
}

const struct schedule schedule_gauntlet = {
    .name = "gauntlet",
    .help = "the first `challengers` meet all the others, `cycles` times",
    .refuse = gauntlet_refuse,
    .next = gauntlet_next,
    .total = gauntlet_total,
    .byes = schedule_no_byes,
};
