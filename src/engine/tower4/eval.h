// SPDX-License-Identifier: MIT
// What a tower4 position is worth before the end: the gain to expect.
#pragma once

#include "engine/tower4/tower.h"

enum {
    POINT = 16, // a point, in units of the search's values
    EVAL_ROWS_MAX = LINES_MAX + COLUMNS_MAX + 2,
    NEXT_LINES = 4, // the net's answer is in hundredths of the worth of so many lines to come
};

// The gain that the mover can expect.
int tower_gain(const struct tower_board *tower);
// The rows of the net that it sums, for the training. Returns their number.
int tower_rows(const struct tower_board *tower, uint16_t rows[static EVAL_ROWS_MAX]);
int tower_stage(const struct tower_board *tower);
