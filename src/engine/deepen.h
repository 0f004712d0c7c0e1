// SPDX-License-Identifier: MIT
// Iterative deepening, with one thread or several that share a table.
#pragma once

#include "engine/stop.h"

struct deepening {
    int first, last; // depths to search
    // One thread's search to a depth. Returns true when it is complete; when it was stopped, false,
    // with the thought filled in if it holds something better than before, else left alone; but its
    // nodes are always those of the thread so far.
    bool (*search)(void *thread, int depth, struct thought *thought);
    void *threads; // what `search` gets, an array of one for each thread
    size_t thread_bytes;
    int thread_count;
    struct stop *stop;
};

// The thought of the deepest search. Ends when a search is exact, complete to the last depth, or
// stopped; the search to the first depth runs to its end in any case, so it must be short. The
// nodes are those of all threads.
void deepen(const struct deepening *deepening, struct thought *thought);
