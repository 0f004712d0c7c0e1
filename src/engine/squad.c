// SPDX-License-Identifier: MIT
// Young brothers wait: a node is shared only after its first move, when another is likely to need
// all of them, and only while somebody is idle. The owner does parts himself. When none is left to
// take he waits for those that others still do, and meanwhile helps at splits that lie in these
// parts: they are what he waits for, and whatever settles his own split ends them, too. So nobody
// ever waits for a thread that waits for him.
#include "engine/squad.h"

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
static struct split *find(const struct squad *squad, const struct split *around) {
    struct split *split = squad->splits;
    while (split && !(has_parts(split) && is_within(split, around)))
        split = split->later;
    return split;
}

// Under the lock, which is given back in between.
static void do_parts(struct squad *squad, void *member, struct split *split) {
    while (has_parts(split)) {
        const int number = split->next++;
        pthread_mutex_unlock(&squad->lock);
        split->part(member, split, number);
        pthread_mutex_lock(&squad->lock);
    }
}

// Under the lock: helps within a split, or waits for something to change.
static void help(struct squad *squad, void *member, const struct split *around) {
    struct split *split = find(squad, around);
    if (!split) {
        atomic_fetch_add(&squad->idle, 1);
        pthread_cond_wait(&squad->changed, &squad->lock);
        atomic_fetch_sub(&squad->idle, 1);
        return;
    }
    split->helpers++;
    do_parts(squad, member, split);
    split->helpers--;
    pthread_cond_broadcast(&squad->changed);
}

static void *squad_work(void *argument) {
    struct squad_helper *h = argument;
    struct squad *squad = h->squad;
    pthread_mutex_lock(&squad->lock);
    while (!squad->done)
        help(squad, h->member, NULL);
    pthread_mutex_unlock(&squad->lock);
    return NULL;
}

void squad_share(struct squad *squad, void *member, struct split *split) {
    split->next = split->helpers = 0;
    split->later = NULL;
    atomic_init(&split->over, false);
    pthread_mutex_lock(&squad->lock);
    struct split **end = &squad->splits;
    while (*end)
        end = &(*end)->later;
    *end = split;
    pthread_cond_broadcast(&squad->changed);
    do_parts(squad, member, split);
    while (split->helpers > 0)
        help(squad, member, split);
    for (end = &squad->splits; *end != split; end = &(*end)->later)
        assert(*end);
    *end = split->later;
    pthread_mutex_unlock(&squad->lock);
}

void squad_start(struct squad *squad, void *members, size_t member_bytes, int count) {
    assert(count >= 1 && count <= THREADS_MAX);
    pthread_mutex_init(&squad->lock, NULL);
    pthread_cond_init(&squad->changed, NULL);
    squad->splits = NULL;
    atomic_init(&squad->idle, 0);
    squad->done = false;
    for (squad->helpers = 0; squad->helpers < count - 1; squad->helpers++) {
        struct squad_helper *h = &squad->helper[squad->helpers];
        h->squad = squad;
        h->member = (char *)members + (size_t)(squad->helpers + 1) * member_bytes;
        if (pthread_create(&h->id, NULL, squad_work, h) != 0)
            break;
    }
}

void squad_end(struct squad *squad) {
    pthread_mutex_lock(&squad->lock);
    squad->done = true;
    pthread_cond_broadcast(&squad->changed);
    pthread_mutex_unlock(&squad->lock);
    while (squad->helpers > 0)
        pthread_join(squad->helper[--squad->helpers].id, NULL);
    pthread_cond_destroy(&squad->changed);
    pthread_mutex_destroy(&squad->lock);
}
