// SPDX-License-Identifier: MIT
// A position of Cup-Tac-Toe as the search plays it: without turns, seen by the player to move.
#pragma once

#include "games/cuptactoe.h"
#include "games/game.h"

struct cupboard {
    uint16_t own[CUPS_SIZES], other[CUPS_SIZES]; // cells of the cups, small ones first
};

// For each set of cells: those that would complete a line, and LINE_THERE if it holds one.
enum { LINE_THERE = 1 << CUPS_CELLS };
struct threes {
    uint16_t completing[CUPS_BOARD + 1];
};

enum { STEPS_MAX = CUPS_SIZES * CUPS_EACH * CUPS_CELLS };

enum step_end {
    STEP_ON,   // the game goes on
    STEP_LINE, // the mover has a line and wins
    STEP_LIFT, // the mover uncovered a line and loses
};

// A move and what it leads to.
struct cup_step {
    struct cupboard next; // seen by the opponent
    move move;
    enum step_end end;
};

void threes_init(struct threes *threes);

struct cupboard cupboard_of(const struct cups *state);
struct cupboard cupboard_swapped(const struct cupboard *board);
// The legal moves, ascending. The game must not be over.
int cupboard_steps(const struct cupboard *board, const struct threes *threes,
                   struct cup_step steps[static STEPS_MAX]);
// Can the player to move make a line at once?
bool cupboard_wins_now(const struct cupboard *board, const struct threes *threes);
// Does every move uncover a line of the opponent?
bool cupboard_must_lift(const struct cupboard *board, const struct threes *threes);
