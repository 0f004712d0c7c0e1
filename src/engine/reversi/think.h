// SPDX-License-Identifier: MIT
// A player of reversi that remembers what it has searched.
#pragma once

#include "engine/engine.h"
#include "engine/reversi/board.h"

struct reversi_mind;

// The value of a game that ends with empty squares is the difference of discs, as the rules have
// it; or, as in the records of the Othello world, the winner gets the empty squares too.
struct reversi_mind *reversi_new(const struct variant *v, bool winner_takes_empties, int threads);
void reversi_free(void *mind);
// Forgets all it has thought of.
void reversi_forget(struct reversi_mind *mind);
// Fills in a thought about a position with a legal move; of its moves only those in `among` are
// looked at.
void reversi_think(struct reversi_mind *mind, const struct board *b, uint64_t among,
                   const struct limits *limits, struct thought *thought);
