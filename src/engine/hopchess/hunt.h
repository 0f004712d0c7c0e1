// SPDX-License-Identifier: MIT
// The search of hopchess. One thread's; threads may share a memo. The caller owns all it points to.
#pragma once

#include "engine/hopchess/field.h"
#include "engine/hopchess/hopnet.h"
#include "engine/hopchess/race.h"
#include "engine/memo.h"
#include "engine/stop.h"

// What a search does besides trying all moves; each can be left out, to measure what it is worth.
#define HUNT_SKILLS(X)                                                                             \
    X(TABLE, "table", "values kept from one search to the next")                                   \
    X(CAPTURES, "captures", "searching on while pieces are taken")                                 \
    X(NULL_MOVE, "null", "a position so good that even skipping a turn would do")                  \
    X(REDUCE, "reduce", "late moves searched less deep at first")                                  \
    X(MARGIN, "margin", "near the leaves, values far outside the window believed")                 \
    X(LATE, "late", "near the leaves, late quiet moves left out")                                  \
    X(HISTORY, "history", "moves that were good elsewhere tried first")                            \
    X(REPEAT, "repeat", "repeated positions seen")                                                 \
    X(PROGRESS, "progress", "who is ahead better off the nearer he is to home")                    \
    X(RACE, "race", "races of few pieces looked up")

enum hunt_skill {
#define HUNT_SKILL(id, word, sentence) HUNT_##id,
    HUNT_SKILLS(HUNT_SKILL)
#undef HUNT_SKILL
        HUNT_SKILL_COUNT
};

enum {
    HUNT_DEPTH_MAX = 60,
    HUNT_PLY_MAX = 120,
    // Of a game won for certain: more for each ply that it ends sooner, and for each piece of
    // margin as much as for so many plies. The margin itself stands in what is left below a ply.
    HUNT_WON = 20000,
    HUNT_STEP = 16,
    HUNT_PIECE = 10,
    HUNT_WON_MIN = 18000, // values beyond are proven
    // Of a race that is won if nobody turns back: more for each piece of margin, less for each ply.
    HUNT_RACE_WON = 3000,
    HUNT_RACE_PIECE = 100,
    HUNT_NONE = 30000,
    HUNT_LESS = 64,
};

struct hunt_line {
    int length;
    struct leap leap[PV_MAX];
};

struct hunt {
    const struct hopnet *net;
    const struct races *races; // NULL: not for this ruleset
    struct memo *memo;
    struct stop *stop;
    int max_hops;
    unsigned without; // skills left out, a bit each
    bool whole;       // nothing is left out or believed: to the end of the game this is exact
    uint64_t nodes;
    // Of the last search: how often its value rests on something else than ends of the game. At 0
    // it is certain.
    uint64_t guesses;
    // The rest is its own.
    struct leap *stack; // moves of all positions from the root to here
    int used;
    uint64_t path[HUNT_PLY_MAX + 1];
    uint16_t killer[HUNT_PLY_MAX + 1][2];
    uint8_t less[HUNT_LESS][HUNT_LESS]; // plies by depth and number of a late move
    int32_t history[HOP_SQUARES * HOP_SQUARES];
};

void hunt_init(struct hunt *h, const struct hopnet *net, struct memo *memo, unsigned without);
// Before the searches of a position: forgets all but what is in the memo.
void hunt_begin(struct hunt *h, struct stop *stop, int max_hops);
void hunt_done(struct hunt *h);
// Searches the moves given, which must be some or all of the position's, and puts the best found in
// `line`, with what is expected to follow; its length is 0 if it was stopped before it knew any.
// Moves that turned out best go to the front.
int hunt_run(struct hunt *h, const struct field *f, struct leap *leaps, int count, int alpha,
             int beta, int depth, struct hunt_line *line);
bool hunt_stopped(const struct hunt *h);
// What a game that is over is worth to the player to move, so many plies from the root.
int hunt_final(const struct field *f, int ply);
static inline bool hunt_is_proven(int value) {
    return value > HUNT_WON_MIN || value < -HUNT_WON_MIN;
}
// The margin in pieces of a proven value, for the player whose value it is.
static inline int hunt_margin(int value) {
    return value > 0 ? value % HUNT_STEP : -(-value % HUNT_STEP);
}
