// SPDX-License-Identifier: MIT
// The player of games that have no engine of their own.
#pragma once

#include "engine/engine.h"

// Knows nothing but the rules. A value is what is expected of the game, in tenths of a percent:
// 1000 is won, -1000 lost; a proven win is GENERAL_WIN less the turns of both until then, at the
// latest.
enum { GENERAL_WIN = 10000, GENERAL_SURE = 1000 };
extern const struct engine engine_general;
