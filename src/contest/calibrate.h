// SPDX-License-Identifier: MIT
// How fast this machine is, so that uneven ones show.
#pragma once

#include <stdint.h>

// Positions per millisecond of a fixed search through the rules of Othello, the best of a few short
// runs.
int64_t calibrate(void);
