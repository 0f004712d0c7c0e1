// SPDX-License-Identifier: MIT
// The search of hopchess. One thread's; threads may share a table. The caller owns all it points
// to.
#pragma once

#include "engine/hopchess/field.h"
#include "engine/hopchess/net.h"
#include "engine/hopchess/race.h"
#include "engine/stop.h"
#include "engine/tt.h"

// What a search does besides trying all moves; each can be left out, to measure what it is worth.
#define HOP_TECHNIQUES(X)                                                                          \
    X(TABLE, "table", "values kept from one search to the next")                                   \
    X(QUIESCENCE, "captures", "searching on while pieces are taken")                               \
    X(NULL_MOVE, "null", "a position so good that even skipping a turn would do")                  \
    X(LMR, "reduce", "late moves searched less deep at first")                                     \
    X(FUTILITY, "margin", "near the leaves, values far outside the window believed")               \
    X(LMP, "late", "near the leaves, late quiet moves left out")                                   \
    X(HISTORY, "history", "moves that were good elsewhere tried first")                            \
    X(REPEAT, "repeat", "repeated positions seen")                                                 \
    X(PROGRESS, "progress", "who is ahead better off the nearer he is to home")                    \
    X(RACE, "race", "races of few pieces looked up")

enum hop_technique {
#define HOP_TECHNIQUE(id, word, sentence) HOP_##id,
    HOP_TECHNIQUES(HOP_TECHNIQUE)
#undef HOP_TECHNIQUE
        HOP_TECHNIQUES_COUNT
};

enum {
    HOP_DEPTH_MAX = 60,
    HOP_PLY_MAX = 120,
    // Of a game won for certain: more for each ply that it ends sooner, and for each piece of
    // margin as much as for so many plies. The margin itself stands in what is left below a ply.
    HOP_WON = 20000,
    HOP_STEP = 16,
    HOP_PIECE = 10,
    HOP_WON_MIN = 18000, // values beyond are proven
    // Of a race that is won if nobody turns back: more for each piece of margin, less for each ply.
    HOP_RACE_WON = 3000,
    HOP_RACE_PIECE = 100,
    HOP_NONE = 30000,
    HOP_LMR_MAX = 64,
};

// A position in the tree, and what is asked of it.
struct hop_node {
    const struct hop_field *field;
    int alpha, beta;
    int depth;       // plies to search
    int ply;         // from the root
    bool after_null; // the turn before was skipped to see what that does
};

struct hop_line {
    int length;
    struct leap leap[PV_MAX];
};

struct hop_search {
    const struct hopnet *net;
    const struct races *races; // NULL: not for this ruleset
    struct tt *tt;
    struct stop *stop;
    int max_hops;
    unsigned without; // techniques left out, a bit each
    bool whole;       // nothing is left out or believed: to the end of the game this is exact
    uint64_t nodes;
    // Of the last search: how often its value rests on something else than ends of the game. At 0
    // it is certain.
    uint64_t guesses;
    // The rest is its own.
    struct leap *stack; // moves of all positions from the root to here
    int used;
    uint64_t path[HOP_PLY_MAX + 1];
    uint16_t killer[HOP_PLY_MAX + 1][2];
    uint8_t lmr[HOP_LMR_MAX][HOP_LMR_MAX]; // plies by depth and number of a late move
    int32_t history[HOP_SQUARES * HOP_SQUARES];
};

void hop_search_init(struct hop_search *h, const struct hopnet *net, struct tt *tt,
                     unsigned without);
// Before the searches of a position: forgets all but what is in the table.
void hop_search_begin(struct hop_search *h, struct stop *stop, int max_hops);
void hop_search_done(struct hop_search *h);
// Searches the moves given at the root, which must be some or all of the position's, and puts the
// best found in `line`, with what is expected to follow; its length is 0 if it was stopped before
// it knew any. Moves that turned out best go to the front.
int hop_search_run(struct hop_search *h, const struct hop_node *root, struct leap *leaps, int count,
                   struct hop_line *line);
bool hop_search_stopped(const struct hop_search *h);
// What a game that is over is worth to the player to move, so many plies from the root.
int hop_final(const struct hop_field *f, int ply);
static inline bool hop_is_proven(int value) { return value > HOP_WON_MIN || value < -HOP_WON_MIN; }
// The margin in pieces of a proven value, for the player whose value it is.
static inline int hop_margin(int value) {
    return value > 0 ? value % HOP_STEP : -(-value % HOP_STEP);
}
