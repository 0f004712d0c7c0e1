// SPDX-License-Identifier: MIT
// The seeds of a knock-out are a permutation of those who go on, in which places keep their order:
// all first ones before all second ones. A depth-first search deals them, the worst seed first, and
// goes back where two of a group would meet in the first round. The first who fits is mostly right,
// so that it ends soon; if it has looked too long there is no such order, or none worth finding.
#include "contest/schedule/advance.h"

#include "base/mem.h"
#include "contest/schedule/knockout.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKS_MAX = 100000 };

struct draw {
    const struct plan *plan;
    int *players;      // by seed
    const int *places; // by seed: in the group, from 0
    int count, rounds, looks;
};

static int best_of_each(const struct state *s, const struct stage_state *stage, int number,
                        int *players, int *places) {
    const int groups = stage->stage->format.groups, all = stage->field.count;
    const int most = stage->stage->advance ? stage->stage->advance : all;
    int count = 0;
    for (int place = 0; place < most; place++)
        for (int group = 0; group < groups; group++)
            for (int i = 0, seen = 0; i < all; i++) {
                const int player = stage->standings[i].player;
                const bool member = groups == 1 || s->plan->players[player].group == group;
                if (!member || s->left_stage[player] <= number || seen++ != place)
                    continue;
                places[count] = place;
                players[count++] = player;
            }
    return count;
}

static int group_of(const struct draw *d, int seed) {
    return d->plan->players[d->players[seed]].group;
}

static void swap(int *players, int a, int b) {
    const int kept = players[a];
    players[a] = players[b];
    players[b] = kept;
}

// Deals seeds from this one down to the middle; those above it are their opponents and stay.
static bool deal(struct draw *d, int seed) {
    const int opponent = (1 << d->rounds) - 1 - seed;
    if (seed <= opponent)
        return true;
    for (int other = seed; other >= opponent && d->places[other] == d->places[seed]; other--) {
        if (++d->looks > LOOKS_MAX)
            return false;
        swap(d->players, seed, other);
        if (group_of(d, seed) != group_of(d, opponent) && deal(d, seed - 1))
            return true;
        swap(d->players, seed, other);
    }
    return false;
}

int advance_from(const struct state *s, int number, int *players) {
    const struct stage_state *stage = &s->stages[number];
    const bool last = number + 1 == s->plan->stage_count;
    const struct schedule *next = last ? NULL : s->plan->stages[number + 1].format.schedule;
    int *places = mem_new((size_t)stage->field.count, sizeof *places);
    const int count = best_of_each(s, stage, number, players, places);
    struct draw d = {.plan = s->plan,
                     .players = players,
                     .places = places,
                     .count = count,
                     .rounds = bracket_rounds(count)};
    if (stage->stage->format.groups > 1 && next && next->eliminates)
        deal(&d, count - 1);
    free(places);
    return count;
}
