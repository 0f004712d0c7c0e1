// SPDX-License-Identifier: MIT
// The search of tower4: principal variation search, one of these for each thread.
#pragma once

#include "engine/memo.h"
#include "engine/stop.h"
#include "engine/tower4/tower.h"

enum { SEARCH_PLIES = 208 }; // from the root, at most

struct search {
    struct tower board;
    struct memo *memo; // shared by the threads
    struct stop *stop;
    uint64_t nodes;
    int points; // the mover's at the root, less the other's
    int only;   // the one column to look at from the root, or -1
    bool stopped;
    bool full; // to the end of the game, without shortcuts
    uint16_t history[2][CELLS];
    uint8_t killer[SEARCH_PLIES][2];
    uint8_t pv[SEARCH_PLIES][SEARCH_PLIES], pv_length[SEARCH_PLIES]; // by distance from the root
};

// A search from the board's position to a depth, for deepen.h; `thread` is a struct search. From
// the depth at which it reaches the end of the game it is exact.
bool tower_search_run(void *thread, int depth, struct thought *thought);
// Forgets what was learned about moves.
void tower_search_forget(struct search *search);
