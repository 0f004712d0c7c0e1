// SPDX-License-Identifier: MIT
// Discs that can never turn again.
#pragma once

#include "engine/reversi/board.h"

// Some of the stable discs of `own`; never one that can still turn.
uint64_t stable_discs(uint64_t own, uint64_t other, const struct variant *v);
