// SPDX-License-Identifier: MIT
// When a search must end: its time or its nodes are used up, or another thread has said so.
#pragma once

#include "base/clock.h"
#include "engine/engine.h"

#include <stdatomic.h>

enum { STOP_EVERY = 1024 }; // nodes between two looks at the clock; a power of 2

struct stop {
    int64_t at_us;  // 0: never
    uint64_t nodes; // 0: never
    atomic_bool now;
};

static inline void stop_init(struct stop *stop, const struct limits *limits) {
    stop->at_us = limits->time_us ? clock_now_us() + limits->time_us : 0;
    stop->nodes = limits->nodes;
    atomic_init(&stop->now, false);
}

// For the first part of a thought: it ends when this share of the time is gone. stop_resume() gives
// the rest its time, and forgets that the first part was stopped; no other thread runs then.
static inline int64_t stop_share(struct stop *stop, int share) {
    const int64_t at_us = stop->at_us, now_us = clock_now_us();
    if (at_us)
        stop->at_us = now_us + (at_us - now_us) / share;
    return at_us;
}

static inline void stop_resume(struct stop *stop, int64_t at_us) {
    stop->at_us = at_us;
    atomic_store(&stop->now, false);
}

// Has the search to end? Looks at the clock.
static inline bool stop_look(struct stop *stop, uint64_t nodes) {
    if ((stop->nodes && nodes >= stop->nodes) || (stop->at_us && clock_now_us() >= stop->at_us))
        atomic_store_explicit(&stop->now, true, memory_order_relaxed);
    return atomic_load_explicit(&stop->now, memory_order_relaxed);
}

// The same, called at every node with the nodes of its thread so far: looks now and then.
static inline bool stop_due(struct stop *stop, uint64_t nodes) {
    if (nodes % STOP_EVERY == 0 || (stop->nodes && nodes >= stop->nodes))
        return stop_look(stop, nodes);
    return atomic_load_explicit(&stop->now, memory_order_relaxed);
}
