// SPDX-License-Identifier: MIT
// The race of hopchess: one side alone on the board, with up to RACE_PIECES pieces. The tables are
// made when the program is built, and read by any number of threads.
#pragma once

#include "engine/hopchess/field.h"

enum { RACE_PIECES = 4, RACE_FAR = 255 };

// Moves of a side alone until so many of its pieces are home, for 1 up to its number; heading for
// FIELD_HOME. At most RACE_FAR.
struct race {
    int pieces;
    const uint8_t *moves; // [k - 1]: until k are home
};

struct races;

extern const struct races races_carried;

// NULL if the ruleset limits hops to fewer than usual: there are tables for that alone.
static inline const struct races *races_find(int max_hops) {
    return max_hops == HOP_COUNT_MAX ? &races_carried : NULL;
}
// Works them out, in less than a second; freed with free().
struct races *races_new(size_t *bytes);
struct race race_of(const struct races *races, uint64_t pieces);
// The most pieces home after so many moves, or fewer.
int race_home(const struct race *race, int moves);
// Moves until all are home.
static inline int race_length(const struct race *race) {
    return race->pieces ? race->moves[race->pieces - 1] : RACE_FAR;
}

// Is there a table for these pieces?
static inline bool race_is_known(uint64_t pieces) { return bits_count(pieces) <= RACE_PIECES; }
// Have the sides passed each other, and are there tables for both?
bool race_is_on(const struct hop_field *f);
// The margin for the mover when both play on alone, with the best play of both; `plies` until the
// game is over.
int race_margin(const struct races *races, const struct hop_field *f, int *plies);
// The same of any two races: the first player moves, `left` turns are left.
int race_meet(const struct race *own, const struct race *other, int left, int *plies);

// More pieces, by a search that looks at the most hopeful sets alone: fills in the moves as above,
// which may be more than are needed.
void race_search(uint64_t pieces, int max_hops, uint8_t moves[static HOP_PIECES]);
