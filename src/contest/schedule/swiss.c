// SPDX-License-Identifier: MIT
// Round by round those with equal points meet, the upper half of them against the lower, and nobody
// meets the same opponent twice. The best player left takes the partner he would like best among
// those whom he has not met and without whom the rest can still be paired. The limit on the rounds
// makes that possible: who has met fewer than half of the others leaves a graph that has a perfect
// matching (Dirac's theorem, for an even number). With an odd number the last who has not rested
// rests, and gets the points of a won meeting. Should no pairing be left, there are no more rounds.
#include "base/mem.h"
#include "contest/schedule/knockout.h"
#include "contest/schedule/matching.h"
#include "contest/schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

struct swiss {
    int count;
    int active;             // who have not left
    bool *met;              // count * count
    int *points, *blacks;   // of the table; games begun as black less those as white
    bool *rested, *settled; // had a bye; paired in this round, or has left
    int *order;             // by points, then seed
    bool any_colours;       // pairs whose colours clash are allowed
};

static int rounds_of(const struct format *format, int players) {
    const int most = (players + players % 2) / 2, enough = bracket_rounds(players);
    return format->rounds ? format->rounds : enough < most ? enough : most;
}

static const char *swiss_refuse(const struct format *format, int players) {
    if (players < 2)
        return "a swiss tournament needs two players or more";
    if (format->rounds > (players + players % 2) / 2)
        return "a swiss tournament has at most half as many rounds as players; use a league";
    return NULL;
}

// Both have had one colour too often, and one of them would get it again.
static bool colours_clash(const struct swiss *s, int a, int b) {
    return s->blacks[a] == s->blacks[b] && abs(s->blacks[a]) >= 2;
}

static bool may_meet(const void *owner, int a, int b) {
    const struct swiss *s = owner;
    return !s->met[a * s->count + b] && (s->any_colours || !colours_clash(s, a, b));
}

static void note(struct swiss *s, const struct meeting *m) {
    const int a = m->player[0], b = m->player[1];
    s->points[a] += m->worth[0];
    if (b == NOBODY) {
        s->rested[a] = true;
        return;
    }
    s->points[b] += m->worth[1];
    s->blacks[a]++;
    s->blacks[b]--;
    s->met[a * s->count + b] = s->met[b * s->count + a] = true;
}

static void sort_by_points(struct swiss *s) {
    for (int i = 0; i < s->count; i++) {
        int k = i;
        for (; k > 0 && s->points[s->order[k - 1]] < s->points[i]; k--)
            s->order[k] = s->order[k - 1];
        s->order[k] = i;
    }
}

// With whom the best player left could be paired, whom he would like best first: his equals from
// the middle on, then those before, then all below.
static int candidates_of(const struct swiss *s, int place, int *list) {
    const int player = s->order[place];
    int equals = 0, count = 0;
    for (int i = place + 1; i < s->count; i++)
        equals += !s->settled[s->order[i]] && s->points[s->order[i]] == s->points[player];
    for (int kind = 0; kind < 3; kind++)
        for (int i = place + 1, rank = 0; i < s->count; i++) {
            const int other = s->order[i];
            if (s->settled[other])
                continue;
            const bool equal = s->points[other] == s->points[player];
            const int its_kind = !equal ? 2 : rank++ < equals / 2 ? 1 : 0;
            if (its_kind == kind && may_meet(s, player, other))
                list[count++] = other;
        }
    return count;
}

static void seat(struct swiss *s, struct meetings *list, int round, int table, int a, int b) {
    const bool swap = s->blacks[a] != s->blacks[b] ? s->blacks[a] > s->blacks[b] : round % 2;
    meetings_add(list, round, table, swap ? b : a, swap ? a : b);
    s->settled[a] = s->settled[b] = true;
}

// The last in the order who has not rested yet and without whom the others can be paired.
static bool give_bye(struct swiss *s, struct matching *rest, struct meetings *list, int round) {
    for (int i = s->count - 1; i >= 0; i--) {
        const int player = s->order[i];
        if (s->rested[player] || s->settled[player])
            continue;
        matching_remove(rest, player);
        if (matching_complete(rest)) {
            s->settled[player] = true;
            meetings_add(list, round, s->count / 2, player, NOBODY);
            return true;
        }
        matching_restore(rest, player);
    }
    return false;
}

static bool try_pair(struct matching *rest, int a, int b) {
    matching_remove(rest, a);
    matching_remove(rest, b);
    if (matching_complete(rest))
        return true;
    matching_restore(rest, a);
    matching_restore(rest, b);
    return false;
}

static bool pair_all(struct swiss *s, struct meetings *list, int round) {
    struct matching *rest = matching_new(s->count, may_meet, s);
    int *candidates = mem_new((size_t)s->count, sizeof *candidates), table = 0;
    for (int i = 0; i < s->count; i++)
        if (s->settled[i])
            matching_remove(rest, i);
    const bool good = s->active % 2 ? give_bye(s, rest, list, round) : matching_complete(rest);
    for (int place = 0; good && place < s->count; place++) {
        const int player = s->order[place];
        if (s->settled[player])
            continue;
        const int count = candidates_of(s, place, candidates);
        for (int i = 0; i < count && !s->settled[player]; i++)
            if (try_pair(rest, player, candidates[i]))
                seat(s, list, round, table++, player, candidates[i]);
    }
    free(candidates);
    matching_free(rest);
    return good;
}

static struct swiss *swiss_new(const struct field *field, const struct meetings *known, int round) {
    struct swiss *s = mem_new(1, sizeof *s);
    const size_t n = (size_t)field->count;
    s->count = field->count;
    s->met = mem_new(n * n, sizeof *s->met);
    s->points = mem_new(n, sizeof *s->points);
    s->blacks = mem_new(n, sizeof *s->blacks);
    s->rested = mem_new(n, sizeof *s->rested);
    s->settled = mem_new(n, sizeof *s->settled);
    s->order = mem_new(n, sizeof *s->order);
    for (int i = 0; i < known->count; i++)
        note(s, &known->list[i]);
    for (int i = 0; i < field->count; i++) {
        const int leaves = field->entrants[i].leaves;
        s->settled[i] = leaves > 0 && leaves - 1 <= round;
        s->active += !s->settled[i];
    }
    sort_by_points(s);
    return s;
}

static void swiss_free(struct swiss *s) {
    free(s->met);
    free(s->points);
    free(s->blacks);
    free(s->rested);
    free(s->settled);
    free(s->order);
    free(s);
}

static void swiss_next(const struct format *format, const struct field *field,
                       const struct meetings *known, struct meetings *list) {
    int round = 0;
    for (int i = 0; i < known->count; i++) {
        if (!known->list[i].is_over)
            return;
        if (known->list[i].round >= round)
            round = known->list[i].round + 1;
    }
    if (round >= rounds_of(format, field->count))
        return;
    struct swiss *s = swiss_new(field, known, round);
    if (!pair_all(s, list, round)) {
        s->any_colours = true;
        pair_all(s, list, round);
    }
    swiss_free(s);
}

static int swiss_total(const struct format *format, const struct field *field) {
    return rounds_of(format, field->count) * ((field->count + 1) / 2);
}

static int swiss_byes(const struct format *format, const struct field *field) {
    return field->count % 2 * rounds_of(format, field->count);
}

const struct schedule schedule_swiss = {
    .name = "swiss",
    .help = "`rounds` in which equals meet, and nobody meets anybody twice",
    .refuse = swiss_refuse,
    .next = swiss_next,
    .total = swiss_total,
    .byes = swiss_byes,
};
