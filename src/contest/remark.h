// SPDX-License-Identifier: MIT
// What is said of a player beside his place in the table: that he has left, what he did wrong and
// how that is known, where he had no opponent, and what the house has decided.
#pragma once

#include "contest/state.h"

// By player, "" if there is nothing to say; freed by remarks_free.
char **remarks_new(const struct state *state);
void remarks_free(char **remarks, int count);
