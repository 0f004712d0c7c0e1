// SPDX-License-Identifier: MIT
// The first thread's answer counts. The others search the same, every second one a depth ahead, and
// help by what they leave in the table.
#include "engine/deepen.h"

#include <assert.h>
#include <pthread.h>

enum { THREADS_MAX = 64 };

struct helper {
    const struct deepening *deepening;
    int number;
    pthread_t id;
};

static void *help(void *argument) {
    const struct helper *h = argument;
    const struct deepening *d = h->deepening;
    struct thought unused = {.length = 0};
    for (int depth = d->first + h->number % 2; depth <= d->last; depth++)
        if (!d->search(d->threads[h->number], depth, &unused) || unused.exact)
            break;
    return NULL;
}

// The first search, whatever the limits are: without it there would be no answer.
static bool begin(const struct deepening *d, struct thought *thought) {
    const int64_t at_us = d->stop->at_us;
    const uint64_t nodes = d->stop->nodes;
    d->stop->at_us = 0;
    d->stop->nodes = 0;
    const bool whole = d->search(d->threads[0], d->first, thought);
    d->stop->at_us = at_us;
    d->stop->nodes = nodes;
    return whole && !thought->exact;
}

static void lead(const struct deepening *d, struct thought *thought) {
    for (int depth = d->first + 1; depth <= d->last; depth++)
        if (!d->search(d->threads[0], depth, thought) || thought->exact)
            break;
}

void deepen(const struct deepening *d, struct thought *thought) {
    struct helper helpers[THREADS_MAX];
    int started = 1;
    assert(d->thread_count >= 1 && d->thread_count <= THREADS_MAX && d->first <= d->last);
    if (!begin(d, thought))
        return;
    for (; started < d->thread_count; started++) {
        struct helper *h = &helpers[started];
        *h = (struct helper){.deepening = d, .number = started};
        if (pthread_create(&h->id, NULL, help, h) != 0)
            break;
    }
    lead(d, thought);
    atomic_store(&d->stop->now, true);
    for (int i = 1; i < started; i++)
        pthread_join(helpers[i].id, NULL);
}
