// SPDX-License-Identifier: MIT
// Threads that search one tree together: the one who is at a node shares its moves with those who
// have nothing to do. The caller owns the squad and the splits; a split lives while it is shared.
#pragma once

#include "engine/share.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// A node whose parts (its moves) are shared, made by who is there.
struct split {
    // Does one part, in any of the threads. What the parts share is touched under the squad's lock.
    void (*part)(void *member, struct split *split, int number);
    int count;           // of parts
    struct split *above; // the split in whose part this one is; NULL: none
    // Of the squad:
    int next;         // the first part that nobody has taken
    int helpers;      // who do parts, beside the owner
    atomic_bool over; // settled: what is left, and what is being done, is for nothing
    struct split *later;
};

struct squad {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct split
        *splits; // those with parts that nobody has taken, or that are done; the first made first
    atomic_int idle;
    bool done;
    int helpers;
    struct squad_helper {
        struct squad *squad;
        void *member;
        pthread_t id;
    } helper[THREADS_MAX];
};

// Starts a thread for each member but the first, who is the caller; where threads cannot be had,
// fewer. A member is what parts get to know their thread by.
void squad_start(struct squad *squad, void *members, size_t member_bytes, int count);
// Ends the threads; nothing is shared then.
void squad_end(struct squad *squad);

// Has somebody nothing to do?
static inline bool squad_idle(const struct squad *squad) {
    return atomic_load_explicit(&squad->idle, memory_order_relaxed) > 0;
}

// Does all parts of a split, together with whoever is idle; returns when none is being done.
void squad_share(struct squad *squad, void *member, struct split *split);

// Under the lock: nobody has to go on with this split.
static inline void split_settle(struct split *split) {
    atomic_store_explicit(&split->over, true, memory_order_relaxed);
}

// Is this split settled, or one in whose part it is?
static inline bool split_over(const struct split *split) {
    for (; split; split = split->above)
        if (atomic_load_explicit(&split->over, memory_order_relaxed))
            return true;
    return false;
}
