// SPDX-License-Identifier: MIT
// Cup-Tac-Toe solved backwards from its ends, without a limit of turns.
#pragma once

#include "engine/cuptactoe/atlas.h"

// The value of a position is a byte: n if the player to move wins in n plies, -n if he loses in n
// plies, where the winner hurries and the loser delays; or one of these.
enum {
    VALUE_NEVER = 0,    // neither player can force a win
    VALUE_LOST = -128,  // the opponent has a line
    VALUE_WON = 127,    // the player to move has one, and the opponent has none
    VALUE_LONGEST = 26, // no forced win takes more plies, as solving shows
};

// Who is told how far the work is. Called by the thread that asked for it.
struct progress {
    void (*share)(void *context, const char *what, double done);      // up to 1
    void (*ply)(void *context, int ply, uint64_t lost, uint64_t won); // slots decided by a ply
    void *context;
};

// Fills in the values of all slots.
void retro_solve(const struct atlas *atlas, int8_t *values, int threads,
                 const struct progress *progress);
// Holds every value against those of the positions that moves lead to, by other means than those
// that found it. Returns how many slots are wrong.
uint64_t retro_check(const struct atlas *atlas, const int8_t *values, int threads,
                     const struct progress *progress);
