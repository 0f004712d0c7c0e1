// SPDX-License-Identifier: MIT
// What is known of a position for certain: who wins by force, or how its last cells are filled.
// Nothing else is called exact, or has a value beyond VALUE_FORCED.
#pragma once

#include "engine/connect6/search.h"

// The answer when there is no time for another: what looks most urgent.
void decide_guess(struct searcher *searcher, struct thought *thought);
// If the root is decided: the value, exact, and the line. Else leaves the thought alone but for its
// nodes. Takes a share of the limits.
bool decide_root(struct searcher *searcher, const struct limits *limits, struct thought *thought);
// For deepen(), whose threads are pointers to searchers: a search to a depth in turns. If it sees
// an end, and the searcher leads, the solver has to prove it.
bool decide_search(void *thread, int depth, struct thought *thought);
