// SPDX-License-Identifier: MIT
#include "engine/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS_MAX = 64 };

struct crew {
    void (*part)(void *job, int number);
    void *job;
    int count, batch;
    atomic_int next;
};

static void *work(void *argument) {
    struct crew *crew = argument;
    for (;;) {
        const int begin = atomic_fetch_add(&crew->next, crew->batch);
        if (begin >= crew->count)
            return NULL;
        const int end = begin + crew->batch < crew->count ? begin + crew->batch : crew->count;
        for (int i = begin; i < end; i++)
            crew->part(crew->job, i);
    }
}

// A thread that cannot be had leaves its work to the others.
void crew_run(int threads, int count, int batch, void (*part)(void *job, int number), void *job) {
    struct crew crew = {.part = part, .job = job, .count = count, .batch = batch};
    pthread_t ids[THREADS_MAX];
    int started = 0;
    while (started < threads - 1 && started < THREADS_MAX &&
           pthread_create(&ids[started], NULL, work, &crew) == 0)
        started++;
    work(&crew);
    while (started > 0)
        pthread_join(ids[--started], NULL);
}

int crew_size(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}
