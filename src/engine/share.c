// SPDX-License-Identifier: MIT
// Parts are taken from one counter, so that threads that get little of the machine take fewer.
#include "engine/share.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct share {
    void (*part)(void *job, int number);
    void *job;
    int count, batch;
    atomic_int next;
};

static void *share_work(void *argument) {
    struct share *share = argument;
    for (;;) {
        const int begin = atomic_fetch_add(&share->next, share->batch);
        if (begin >= share->count)
            return NULL;
        const int end = begin + share->batch < share->count ? begin + share->batch : share->count;
        for (int i = begin; i < end; i++)
            share->part(share->job, i);
    }
}

// A thread that cannot be had leaves its work to the others.
void share_run(int threads, int count, int batch, void (*part)(void *job, int number), void *job) {
    struct share share = {.part = part, .job = job, .count = count, .batch = batch};
    pthread_t ids[THREADS_MAX];
    int started = 0;
    assert(batch > 0 && count >= 0);
    while (started < threads - 1 && started < count - 1 && started < THREADS_MAX &&
           pthread_create(&ids[started], NULL, share_work, &share) == 0)
        started++;
    share_work(&share);
    while (started > 0)
        pthread_join(ids[--started], NULL);
}

int share_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}
