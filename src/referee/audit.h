// SPDX-License-Identifier: MIT
// Whether a record can be true: its game is played again by the rules, its conditions are drawn
// again from the seed, and its faults must have cost what they cost.
#pragma once

#include "referee/record_read.h"

// What cannot be true, or NULL.
const char *audit_check(const json_t *record, char why[static WHY_TEXT_MAX]);
