// SPDX-License-Identifier: MIT
// Everybody meets everybody, by the circle method: one player sits still, the others move on by a
// chair a round. All of it is known at once, so that it can be played at the same time.
#include "base/mem.h"
#include "contest/schedules.h"

#include <stdlib.h>

static const char *refuse(const struct format *format, int players) {
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
static int add_round(struct meetings *list, const int *members, int count, int turn, int cycle,
                     int round, int table) {
    const int chairs = count + count % 2, moving = chairs - 1;
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

static void next(const struct format *format, const struct field *field,
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
            table = add_round(list, members, count, round % rounds, round / rounds, round, table);
            left++;
        }
    }
    free(members);
}

static int total(const struct format *format, const struct field *field) {
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
    .refuse = refuse,
    .next = next,
    .total = total,
    .byes = schedule_no_byes,
};
