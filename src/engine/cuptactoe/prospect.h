// SPDX-License-Identifier: MIT
// The moves of a position that is thought about, and what they are worth under the limit of turns.
//
// A value is the plies to the end of the game, + if the player to move wins and - if he loses,
// where the winner hurries and the loser delays. The end is a line, a lift that uncovers one, or
// the last turn. With n turns left, this one included:
//
// - A win that can be forced in d <= n plies without the limit takes d plies under it too: it fits
//   in, and a loser who can hold out so long without the limit still can.
// - If neither player can force a win within n plies, the second player wins by the limit, in n.
//   The first cannot win in time, and can hold out, for else the second could force a win sooner.
//
// So the limit of turns enters here alone. Search and table know positions without turns.
#pragma once

#include "engine/cuptactoe/cupboard.h"
#include "engine/cuptactoe/prover.h"

struct prospect {
    struct cup_step steps[STEPS_MAX];
    int count;
    int left;  // turns, this one included
    int limit; // the value if neither player can force a win
    int best;  // number of a step
    int value; // of that step; the limit, as long as nothing else is known
    bool by_limit;
    bool exact;
};

// The moves of a state that is not over, or one of them alone if `only` is not MOVE_PASS.
void prospect_init(struct prospect *prospect, const struct cups *state, move only,
                   const struct threes *threes);
// Without the moves that are not to be considered.
void prospect_leave_out(struct prospect *prospect, const struct limits *limits);
// Puts the promising moves first.
void prospect_sort(struct prospect *prospect, const struct prover *prover);

// Looks 2 * depth plies ahead; depths are looked at in order, from 1. Returns false if the search
// was stopped; `best` is then the best known.
bool prospect_deepen(struct prospect *prospect, struct prover *prover, int depth);
int prospect_last_depth(const struct prospect *prospect); // which makes all exact

// Finds the value, and the first of the best moves, in the solved game. Ends at a move that is
// worth `enough`; 0 is worth no move.
void prospect_look_up(struct prospect *prospect, const struct atlas *atlas, const int8_t *values,
                      int enough);
// Do the values of the solved game that a look-up would use fit together? A file may have been
// damaged.
bool prospect_fits(const struct cups *state, const struct threes *threes, const struct atlas *atlas,
                   const int8_t *values);
// Finds a move that is worth this value, which is known to be that of the position; `by_limit`
// tells how. Returns false if the search was stopped.
bool prospect_follow(struct prospect *prospect, struct prover *prover, int value, bool by_limit);
