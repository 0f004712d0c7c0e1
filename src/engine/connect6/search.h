// SPDX-License-Identifier: MIT
// The search over half-moves, one stone a ply.
#pragma once

#include "engine/connect6/net.h"
#include "engine/connect6/solver.h"
#include "engine/deepen.h"
#include "engine/tt.h"

enum { VALUE_WIN = 10000, VALUE_FORCED = 9000, DEPTH_LAST = 30 }; // beyond FORCED: an end in sight

// Of a win in the turn of this number, from the root.
static inline int value_of_win(int turn) { return VALUE_WIN - turn; }
// What nobody has proved is no end by force.
static inline int value_believed(int value) {
    const int most = VALUE_FORCED - 1;
    return value > most ? most : value < -most ? -most : value;
}
// Values of forced ends count from the root; in the table, from the node, so many turns later.
static inline int value_later(int value, int turns) {
    return value > VALUE_FORCED ? value - turns : value < -VALUE_FORCED ? value + turns : value;
}

// What the player does besides trying stones in order; each can be left out, to measure what it is
// worth.
#define SEARCH_TECHNIQUES(X)                                                                       \
    X(TABLE, "table", "values and best stones kept from one search to the next")                   \
    X(POLICY, "policy", "candidates chosen and ordered by the policy of the net")                  \
    X(LIKELY, "likely", "what the policy thinks unlikely is no candidate")                         \
    X(NARROW, "narrow", "fewer candidates near the leaves")                                        \
    X(REDUCE, "reduce", "late candidates searched a turn less deep at first")                      \
    X(AHEAD, "ahead", "near the leaves who is well ahead when his turn begins stays so")           \
    X(EXTEND, "extend", "searching on while threats must be stopped")                              \
    X(ROOT, "root", "the solver at the root")                                                      \
    X(SINGLES, "singles", "there also with single threats")                                        \
    X(TREE, "tree", "the solver above the leaves, for both")                                       \
    X(CHECK, "check", "the solver for the other after the best turn, with more stones")

enum search_technique {
#define SEARCH_TECHNIQUE(id, word, sentence) SEARCH_##id,
    SEARCH_TECHNIQUES(SEARCH_TECHNIQUE)
#undef SEARCH_TECHNIQUE
        SEARCH_TECHNIQUES_COUNT
};

// One thread's use. What it points to is borrowed, but for the solver.
struct searcher {
    struct board6 board;
    struct net6_view view; // of the board, while a search runs
    struct solver *solver;
    struct tt *tt;
    struct stop *stop;
    uint64_t nodes;
    int16_t stones[BOARD_CELLS]; // of the line that is searched
    int laid, learned;    // how many of them lie; of how many the board knows what cells make
    unsigned without;     // techniques left out, a bit each
    bool leads;           // what it finds is the answer
    int due;              // stones of the turn at the root
    int only;             // the one first stone to consider at the root, or NO_CELL
    int placed;           // the first stone of the turn at the root that is being tried, or NO_CELL
    int lead[2];          // the stones of the best answer so far, or NO_CELL
    struct limits limits; // what is not to be considered at the root
};

static inline bool searcher_can(const struct searcher *searcher, enum search_technique technique) {
    return !(searcher->without >> technique & 1);
}

struct searcher *searcher_new(struct tt *tt, struct stop *stop);
void searcher_free(struct searcher *searcher);
// To a depth in turns; as of deepen().
bool searcher_search(struct searcher *searcher, int depth, struct thought *thought);

// A mind of the engine with another net and techniques left out; used and freed by the engine's
// functions. The net is borrowed.
void *connect6_mind(const struct ruleset *rules, int threads, size_t tt_bytes,
                    const struct net6 *net, unsigned without);
