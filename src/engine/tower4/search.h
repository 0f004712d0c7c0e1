// SPDX-License-Identifier: MIT
// The search of tower4: principal variation search, one of these for each thread.
#pragma once

#include "engine/stop.h"
#include "engine/tower4/tower.h"
#include "engine/tt.h"

enum { SEARCH_PLIES = 208 }; // from the root, at most

// What the search does besides looking at everything. A player does all of it; to find out what one
// of them is worth, a search can do without.
#define TOWER_TECHNIQUES(X)                                                                        \
    X(NET, "the net; without it only lines made count")                                            \
    X(TABLE, "the table of positions")                                                             \
    X(VIEWS, "mirrored positions are one")                                                         \
    X(WINDOW, "a narrow window after the first drop")                                              \
    X(HISTORY, "drops first that were good elsewhere")                                             \
    X(QUIET, "looking on where lines are made or denied")                                          \
    X(REDUCTION, "late drops less deep")                                                           \
    X(PRUNING, "near the leaves neither late drops nor what is far ahead")                         \
    X(EXTENSION, "the only answer to a threat deeper")                                             \
    X(ENDING, "the last two drops counted, idle columns as one")

#define TOWER_TECHNIQUE(name, text) TECHNIQUE_##name,
enum technique { TOWER_TECHNIQUES(TOWER_TECHNIQUE) TECHNIQUES };
#undef TOWER_TECHNIQUE

struct tower_search {
    struct tower_board board;
    struct tt *tt; // shared by the threads
    struct stop *stop;
    uint32_t without; // bits of techniques left out
    uint64_t nodes;
    int points;      // the mover's at the root, less the other's
    int only;        // the one column to look at from the root, or -1
    uint32_t except; // bits of columns that are not looked at from the root
    bool stopped;
    bool full; // to the end of the game, without shortcuts
    uint16_t history[2][CELLS];
    uint8_t killer[SEARCH_PLIES][2];
    uint8_t pv[SEARCH_PLIES][SEARCH_PLIES], pv_length[SEARCH_PLIES]; // by distance from the root
};

// A search from the board's position to a depth, for deepen.h; `thread` is a struct tower_search.
// From the depth at which it reaches the end of the game it is exact.
bool tower_search_run(void *thread, int depth, struct thought *thought);
// Forgets what was learned about moves.
void tower_search_forget(struct tower_search *search);
// The thought of one thread from the board's position, within so many nodes.
void tower_search_think(struct tower_search *search, uint64_t nodes, struct thought *thought);
