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
