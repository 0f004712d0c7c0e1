// SPDX-License-Identifier: MIT
// A mind of the engine for connect6, whole or less than that.
#pragma once

#include "engine/connect6/search.h"

// As the engine's own, which has nothing left out; used and freed by its functions.
void *connect6_mind(const struct ruleset *rules, int threads, size_t tt_bytes, unsigned without);
