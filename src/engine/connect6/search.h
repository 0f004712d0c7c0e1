// SPDX-License-Identifier: MIT
// The search over half-moves, one stone a ply.
#pragma once

#include "engine/connect6/solver.h"
#include "engine/deepen.h"
#include "engine/memo.h"

enum { VALUE_WIN = 10000, VALUE_FORCED = 9000, DEPTH_LAST = 30 }; // beyond FORCED: an end in sight

// One thread's use. What it points to is borrowed, but for the solver.
struct searcher {
    struct board board;
    struct solver *solver;
    struct memo *memo;
    struct stop *stop;
    uint64_t nodes;
    int history[2][BOARD_CELLS];
    int due;  // stones of the turn at the root
    int only; // the one first stone to consider at the root, or NO_CELL
};

struct searcher *searcher_new(struct memo *memo, struct stop *stop);
void searcher_free(struct searcher *searcher);
// For deepen(): to a depth in turns.
bool searcher_search(void *searcher, int depth, struct thought *thought);
