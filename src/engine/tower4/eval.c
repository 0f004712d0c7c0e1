// SPDX-License-Identifier: MIT
#include "engine/tower4/eval.h"

#include "games/bits.h"

const int tower_line_worth[LINE_STATES] = {
    [1] = 4, [2] = 14, [3] = 40, [5] = -4, [10] = -14, [15] = -40,
};

int tower_gain(const struct tower *b) {
    const int own = b->side ? -b->sum : b->sum;
    const int worth = tower_worth(b, 4); // 208 for the first four
    int value = own * worth * POINT / 2000;
    const int hot = bits_count(tower_hot(b, !b->side));
    if (hot > 1)
        value -= tower_worth(b, 1) * POINT;
    return value;
}
