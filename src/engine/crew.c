// SPDX-License-Identifier: MIT
// Young brothers wait: a node is shared only after its first move, when another is likely to need
// all of them, and only while somebody is idle. The owner does parts himself. When none is left to
// take he waits for those that others still do, and meanwhile helps at splits that lie in these
// parts: they are what he waits for, and whatever settles his own split ends them, too. So nobody
// ever waits for a thread that waits for him.
#include "engine/crew.h"

#include <assert.h>
#include <stddef.h>

static bool is_within(const struct split *split, const struct split *around) {
    while (split && split != around)
        split = split->above;
    return split == around;
}

static bool has_parts(const struct split *split) {
    return split->next < split->count && !split_over(split);
}

// The first split with a part to take that lies within another; NULL is around all.
static struct split *find(const struct crew *crew, const struct split *around) {
    struct split *split = crew->splits;
    while (split && !(has_parts(split) && is_within(split, around)))
        split = split->later;
    return split;
}

// Under the lock, which is given back in between.
static void do_parts(struct crew *crew, void *member, struct split *split) {
    while (has_parts(split)) {
        const int number = split->next++;
        pthread_mutex_unlock(&crew->lock);
        split->part(member, split, number);
        pthread_mutex_lock(&crew->lock);
    }
}

// Under the lock: helps within a split, or waits for something to change.
static void help(struct crew *crew, void *member, const struct split *around) {
    struct split *split = find(crew, around);
    if (!split) {
        atomic_fetch_add(&crew->idle, 1);
        pthread_cond_wait(&crew->changed, &crew->lock);
        atomic_fetch_sub(&crew->idle, 1);
        return;
    }
    split->helpers++;
    do_parts(crew, member, split);
    split->helpers--;
    pthread_cond_broadcast(&crew->changed);
}

static void *crew_work(void *argument) {
    struct crew_helper *h = argument;
    struct crew *crew = h->crew;
    pthread_mutex_lock(&crew->lock);
    while (!crew->done)
        help(crew, h->member, NULL);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

void crew_share(struct crew *crew, void *member, struct split *split) {
    split->next = split->helpers = 0;
    split->later = NULL;
    atomic_init(&split->over, false);
    pthread_mutex_lock(&crew->lock);
    struct split **end = &crew->splits;
    while (*end)
        end = &(*end)->later;
    *end = split;
    pthread_cond_broadcast(&crew->changed);
    do_parts(crew, member, split);
    while (split->helpers > 0)
        help(crew, member, split);
    for (end = &crew->splits; *end != split; end = &(*end)->later)
        assert(*end);
    *end = split->later;
    pthread_mutex_unlock(&crew->lock);
}

void crew_start(struct crew *crew, void *members, size_t member_bytes, int count) {
    assert(count >= 1 && count <= THREADS_MAX);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->changed, NULL);
    crew->splits = NULL;
    atomic_init(&crew->idle, 0);
    crew->done = false;
    for (crew->helpers = 0; crew->helpers < count - 1; crew->helpers++) {
        struct crew_helper *h = &crew->helper[crew->helpers];
        h->crew = crew;
        h->member = (char *)members + (size_t)(crew->helpers + 1) * member_bytes;
        if (pthread_create(&h->id, NULL, crew_work, h) != 0)
            break;
    }
}

void crew_end(struct crew *crew) {
    pthread_mutex_lock(&crew->lock);
    crew->done = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    while (crew->helpers > 0)
        pthread_join(crew->helper[--crew->helpers].id, NULL);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->lock);
}
