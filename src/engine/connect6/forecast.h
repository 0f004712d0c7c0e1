// SPDX-License-Identifier: MIT
// The line of a thought, to the end where a win by force is known. Stones of the line lie on the
// board while it grows.
#pragma once

#include "engine/connect6/search.h"

// Adds a stone or two of the player to move, and places them; NO_CELL is none.
void forecast_add(struct board6 *board, struct thought *thought, int a, int b);
// Takes the stones of the line off the board, down to the first so many; the line stays.
void forecast_lift(struct board6 *board, const struct thought *thought, int length);
// Adds a win by force from where the line ends, against the defence that holds out longest, as far
// as the solver finds it again. The quest is what found it.
void forecast_win(struct searcher *searcher, struct quest quest, struct forced forced,
                  struct thought *thought);
// Adds the stones left of a turn that stops as many of the other's threats as it can, and his six.
void forecast_end(struct board6 *board, struct thought *thought);
