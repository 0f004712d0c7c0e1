// SPDX-License-Identifier: MIT
// The evaluation of hopchess: a small network over what is seen on the board. Every feature that is
// there adds its row to HOPNET_UNITS sums; sums above 0 count with a weight each, and to that comes
// what the features are worth by themselves. A net is read by any number of threads.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "engine/hopchess/race.h"

enum {
    HOPNET_UNITS = 32,
    HOPNET_ROW = 128,     // 1.0 in a row
    HOPNET_VALUE = 100,   // a value of so much is odds of e to 1 that the game is won
    HOPNET_OUT = 16,      // parts of a value, in what goes out
    HOPNET_MAX = 9000,    // values are between this and its negative
    HOPNET_SEEN_MAX = 48, // features of a position, at most
};

// Groups of features, each with its number of values. Of pieces one feature is there for each; of
// every other group just one.
#define HOPNET_GROUPS(X)                                                                           \
    X(OWN, 64)       /* the mover's pieces, by square */                                           \
    X(OTHER, 64)     /* the other's */                                                             \
    X(OWN_COUNT, 10) /* pieces */                                                                  \
    X(OTHER_COUNT, 10)                                                                             \
    X(OWN_OUT, 10) /* pieces not home: who can end the game */                                     \
    X(OTHER_OUT, 10)                                                                               \
    X(SCORE, 19)   /* the margin if the game ended now */                                          \
    X(LEAD, 33)    /* columns to go, the other's less one's own: who is ahead in the race */       \
    X(OWN_LAST, 8) /* columns that the last straggler has to go */                                 \
    X(OTHER_LAST, 8)                                                                               \
    X(OWN_JUMPS, 6) /* hops forward over one's own: the race through the hop structure */          \
    X(OTHER_JUMPS, 6)                                                                              \
    X(IN_HAND, 6) /* pieces that the mover can take by one hop */                                  \
    X(HANGING, 6) /* that the other could */                                                       \
    X(OWN_GO, 32) /* moves until all are home if alone, for few pieces; 0: not known */            \
    X(OTHER_GO, 32)                                                                                \
    X(RACE, 10) /* the margin if both were alone, for few pieces; 0: not known */

// Where the features of each group begin.
enum {
#define HOPNET_BASE(name, count)                                                                   \
    HOPNET_##name##_BASE, HOPNET_##name##_END = HOPNET_##name##_BASE + (count)-1,
    HOPNET_GROUPS(HOPNET_BASE)
#undef HOPNET_BASE
        HOPNET_FEATURES
};

// The weights, as they are packed: all of them int16_t.
struct hopnet {
    int16_t row[HOPNET_FEATURES][HOPNET_UNITS];
    int16_t bias[HOPNET_UNITS];
    int16_t out[HOPNET_UNITS];
    int16_t worth[HOPNET_FEATURES]; // by itself
};

enum { HOPNET_WEIGHTS = sizeof(struct hopnet) / sizeof(int16_t) };

// The features of a position; returns their count. Without `races` (NULL) nothing is known of them.
int hopnet_see(const struct hop_field *f, const struct races *races,
               uint16_t seen[static HOPNET_SEEN_MAX]);
// What a position is worth to its mover. The game is not over.
int hopnet_value(const struct hopnet *net, const struct hop_field *f, const struct races *races);

extern const struct hopnet hopnet_carried;

// The weights that the program carries, or a beginning if it carries none.
static inline const struct hopnet *hopnet_find(void) { return &hopnet_carried; }
// A beginning: pieces and columns are worth something, nothing else is.
void hopnet_begin(struct hopnet *net);
bool hopnet_read(const void *bytes, size_t size, struct hopnet *net, struct err *err);
void hopnet_write(const struct hopnet *net, struct buf *out);
