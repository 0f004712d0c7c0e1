// SPDX-License-Identifier: MIT
// A win by force written out, so that others can check it with the rules alone.
//
//     node    = "(" stones [ ":" threats { "[" cell ( cell | "*" ) "]" node } ] ")"
//     stones  = cell [ " " cell ]
//     threats = { " " cell [ "+" cell ] }
//
// The attacker places the stones. If that has not won, each threat is a stone or two that win next.
// The defender's stones in brackets are answered by the node that follows; * is any stone that is
// in no bracket with the same first one. All others leave a threat untouched.
#pragma once

#include "base/buf.h"
#include "engine/connect6/solver.h"

// Appends the tree of what the quest finds; false if there is nothing, or it needs more nodes than
// that. The solver's board is left as it was.
bool proof_write(struct solver *solver, struct board6 *board, const struct quest *quest,
                 int nodes_max, struct buf *out);
