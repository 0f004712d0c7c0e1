// SPDX-License-Identifier: MIT
// One thread's search of a reversi position. Values are discs, for the player to move.
// The caller owns all; threads may share the table and the stop, and one tree as a squad.
#pragma once

#include "engine/reversi/choice.h"
#include "engine/reversi/eval.h"
#include "engine/reversi/probcut.h"
#include "engine/squad.h"
#include "engine/stop.h"
#include "engine/tt.h"

enum { VALUE_MAX = 64, VALUE_NONE = 99 };

// A small table of positions close to the end, which stays in the cache: the last one looked at of
// those that share a place.
enum { NOOK_BITS = 13 };
struct nook {
    struct board board;
    int8_t lower, upper, square; // between what the value lies, and the best move
};

// A line of moves; passes are not in it.
struct reversi_line {
    int length;
    uint8_t square[60];
};

struct reversi_search;

// What is to be searched: a position with a legal move.
struct reversi_root {
    struct board board;
    uint64_t among;  // of the moves only these are looked at
    int alpha, beta; // a value outside is a bound
    int depth;       // in plies; to the end if it is the number of empty squares
};

// The value of the position. The line is the best one found, and stays empty if the value is not
// above alpha; when stopped it holds what was found till then, and the value is that line's.
typedef int search_kernel(struct reversi_search *s, const struct reversi_root *root,
                          struct reversi_line *line);

struct reversi_search {
    const struct variant *variant;
    const struct eval *eval;
    const struct cuts *cuts;
    search_kernel *run; // for this CPU
    struct tt *tt;
    struct stop *stop;
    struct squad *squad; // who searches this tree together; NULL: nobody else
    struct split *split; // the one in whose part this thread is; NULL: none
    enum certainty certainty;
    int squares; // how many the board has
    int spoils;  // what the winner gets for every square left empty: 0 or 1
    uint64_t nodes;
    uint64_t look_at; // the nodes at which to ask whether to stop
    struct nook nooks[1 << NOOK_BITS];
};

// For the CPU of the build.
search_kernel search_run;

// Begins to think: nothing is counted or kept yet. Values are differences of discs.
void search_init(struct reversi_search *s, const struct variant *v, struct tt *tt,
                 struct stop *stop);

// The value of a game that is over.
static inline int search_final(const struct reversi_search *s, uint64_t own, uint64_t other) {
    const int margin = bits_count(own) - bits_count(other);
    const int spoils = s->spoils * (s->squares - bits_count(own | other));
    return margin + (margin > 0 ? spoils : margin < 0 ? -spoils : 0);
}

// Has the search to end? Its values mean nothing then. Asked at every node that is not a mere
// handful of squares from the end.
bool search_look(struct reversi_search *s);

static inline bool search_stopped(struct reversi_search *s) {
    return s->nodes >= s->look_at && search_look(s);
}
