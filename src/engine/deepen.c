// SPDX-License-Identifier: MIT
// The first thread's answer counts. The others search the same, every second one a depth ahead, and
// help by what they leave in the table.
#include "engine/deepen.h"

#include "engine/share.h"

#include <assert.h>
#include <pthread.h>

struct helper {
    const struct deepening *deepening;
    int number;
    uint64_t nodes;
    pthread_t id;
};

static bool search(const struct deepening *d, int thread, int depth, struct thought *thought) {
    return d->search((char *)d->threads + (size_t)thread * d->thread_bytes, depth, thought) &&
           !thought->exact;
}

static void *deepen_help(void *argument) {
    struct helper *h = argument;
    struct thought found = {.length = 0};
    int depth = h->deepening->first + h->number % 2;
    while (depth <= h->deepening->last && search(h->deepening, h->number, depth, &found))
        depth++;
    h->nodes = found.nodes;
    return NULL;
}

// The first search, whatever the limits are: without it there would be no answer.
static bool begin(const struct deepening *d, struct thought *thought) {
    const int64_t at_us = d->stop->at_us;
    const uint64_t nodes = d->stop->nodes;
    d->stop->at_us = 0;
    d->stop->nodes = 0;
    const bool goes_on = search(d, 0, d->first, thought);
    d->stop->at_us = at_us;
    d->stop->nodes = nodes;
    return goes_on;
}

void deepen(const struct deepening *d, struct thought *thought) {
    struct helper helpers[THREADS_MAX];
    int started = 1, depth = d->first + 1;
    assert(d->thread_count >= 1 && d->thread_count <= THREADS_MAX && d->first <= d->last);
    if (!begin(d, thought))
        return;
    for (; started < d->thread_count; started++) {
        struct helper *h = &helpers[started];
        *h = (struct helper){.deepening = d, .number = started};
        if (pthread_create(&h->id, NULL, deepen_help, h) != 0)
            break;
    }
    while (depth <= d->last && search(d, 0, depth, thought))
        depth++;
    atomic_store(&d->stop->now, true);
    for (int i = 1; i < started; i++) {
        pthread_join(helpers[i].id, NULL);
        thought->nodes += helpers[i].nodes;
    }
}
