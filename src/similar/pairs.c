// SPDX-License-Identifier: MIT
// For each print it is found out who else has it. Then, submission by submission, the prints are
// gone through in their order, and for everybody who has one it is counted how many own tokens it
// covers that the print before did not.
#include "similar/pairs.h"

#include "base/mem.h"
#include "similar/print.h"

#include <assert.h>
#include <stdlib.h>

// A print and whose it is.
struct owned {
    uint64_t hash;
    int owner, print; // its number there
};

// Those who have one print, each once.
struct owners {
    const int *list;
    int count;
};

struct index {
    const struct submission *list;
    size_t count;
    int *people;            // what `owners` point into
    struct owners **owners; // of each print of each submission
    uint16_t *share;        // for every two, how much of the first the second has; of FULL
};

enum { FULL = 50000 };

static int pairs_by_hash(const void *a, const void *b) {
    const struct owned *x = a, *y = b;
    return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash) : x->owner - y->owner;
}

static struct owned *sorted_prints(const struct index *x, size_t *total) {
    size_t n = 0;
    for (size_t i = 0; i < x->count; i++)
        n += (size_t)x->list[i].print_count;
    struct owned *all = mem_new(n + 1, sizeof *all);
    *total = n;
    n = 0;
    for (size_t i = 0; i < x->count; i++)
        for (int k = 0; k < x->list[i].print_count; k++)
            all[n++] =
                (struct owned){.hash = x->list[i].prints[k].hash, .owner = (int)i, .print = k};
    qsort(all, n, sizeof *all, pairs_by_hash);
    return all;
}

// Notes the owners of one hash; returns how many.
static int note_owners(struct index *x, const struct owned *group, size_t size, int *people) {
    int count = 0;
    for (size_t i = 0; i < size; i++)
        if (i == 0 || group[i].owner != group[i - 1].owner)
            people[count++] = group[i].owner;
    for (size_t i = 0; i < size; i++)
        x->owners[group[i].owner][group[i].print] = (struct owners){people, count};
    return count;
}

static void find_owners(struct index *x) {
    size_t total;
    struct owned *all = sorted_prints(x, &total);
    int *people = x->people = mem_new(total + 1, sizeof *people);
    x->owners = mem_new(x->count, sizeof(struct owners *));
    for (size_t i = 0; i < x->count; i++)
        x->owners[i] = mem_new((size_t)x->list[i].print_count + 1, sizeof(struct owners));
    for (size_t i = 0, next; i < total; i = next) {
        for (next = i + 1; next < total && all[next].hash == all[i].hash; next++)
            ;
        people += note_owners(x, all + i, next - i, people);
    }
    free(all);
}

// What has been counted of one submission for another.
struct pair_cover {
    int end; // of the last print
    int own; // tokens covered
};

// For each token, the own ones before it.
static int *count_own(const struct submission *s) {
    int *before = mem_new((size_t)s->tokens.count + 1, sizeof *before);
    for (int i = 0; i < s->tokens.count; i++)
        before[i + 1] = before[i] + !submission_shares(s, i);
    return before;
}

static void cover_one(struct index *x, size_t number, struct pair_cover *covers) {
    const struct submission *s = &x->list[number];
    int *before = count_own(s);
    for (int i = 0; i < s->print_count; i++) {
        const struct owners *owners = &x->owners[number][i];
        const int at = s->prints[i].at, end = at + PRINT_LENGTH;
        for (int k = 0; k < owners->count; k++) {
            struct pair_cover *c = &covers[owners->list[k]];
            c->own += before[end] - before[at > c->end ? at : c->end];
            c->end = end;
        }
    }
    for (size_t i = 0; i < x->count; i++) {
        x->share[number * x->count + i] =
            (uint16_t)(s->own ? (int64_t)FULL * covers[i].own / s->own : 0);
        covers[i] = (struct pair_cover){.end = 0};
    }
    free(before);
}

double pair_most(const struct pair *pair) {
    return pair->percent[0] > pair->percent[1] ? pair->percent[0] : pair->percent[1];
}

static int by_percent(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    const double p = pair_most(x), q = pair_most(y);
    return p != q ? (p < q) - (p > q) : x->a != y->a ? x->a - y->a : x->b - y->b;
}

static void add(struct pairs *pairs, int *room, const struct pair *pair) {
    if (pairs->count == *room) {
        *room = *room ? 2 * *room : 64;
        pairs->at = mem_resize(pairs->at, (size_t)*room * sizeof *pairs->at);
    }
    pairs->at[pairs->count++] = *pair;
}

static double percent(const struct index *x, size_t a, size_t b) {
    return 100.0 * x->share[a * x->count + b] / FULL;
}

static void collect(struct pairs *pairs, const struct index *x) {
    int room = 0;
    for (size_t a = 0; a < x->count; a++)
        for (size_t b = a + 1; b < x->count; b++) {
            const struct pair pair = {
                .a = (int)a, .b = (int)b, .percent = {percent(x, a, b), percent(x, b, a)}};
            if (!(x->list[a].outside && x->list[b].outside) && pair_most(&pair) >= PAIR_LEAST)
                add(pairs, &room, &pair);
        }
    if (pairs->count)
        qsort(pairs->at, (size_t)pairs->count, sizeof *pairs->at, by_percent);
}

void pairs_compare(struct pairs *pairs, const struct submission *list, int count) {
    assert(pairs->count == 0 && count > 0);
    struct index x = {.list = list, .count = (size_t)count};
    struct pair_cover *covers = mem_new(x.count, sizeof *covers);
    x.share = mem_new(x.count * x.count, sizeof *x.share);
    find_owners(&x);
    for (size_t i = 0; i < x.count; i++)
        cover_one(&x, i, covers);
    collect(pairs, &x);
    for (size_t i = 0; i < x.count; i++)
        free(x.owners[i]);
    free(x.owners);
    free(x.people);
    free(x.share);
    free(covers);
}

void pairs_done(struct pairs *pairs) {
    free(pairs->at);
    *pairs = (struct pairs){.at = NULL};
}

static int root_of(int *group, int i) {
    while (group[i] != i)
        i = group[i] = group[group[i]];
    return i;
}

void pairs_group(const struct pairs *pairs, double percent, int count, int *group) {
    for (int i = 0; i < count; i++)
        group[i] = i;
    for (int i = 0; i < pairs->count; i++) {
        const struct pair *p = &pairs->at[i];
        const int a = root_of(group, p->a), b = root_of(group, p->b);
        if (pair_most(p) >= percent)
            group[a > b ? a : b] = a < b ? a : b;
    }
    for (int i = 0; i < count; i++)
        group[i] = root_of(group, i);
}

json_t *pairs_groups(const struct submission *list, int count, const int *group) {
    json_t *groups = json_array();
    for (int leader = 0; leader < count; leader++) {
        json_t *names = json_array();
        for (int i = leader; i < count; i++)
            if (group[i] == leader)
                json_array_append_new(names, json_text(list[i].name));
        if (json_array_size(names) > 1)
            json_array_append(groups, names);
        json_decref(names);
    }
    return groups;
}
