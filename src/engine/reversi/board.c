// SPDX-License-Identifier: MIT
#include "engine/reversi/board.h"

#include "games/grid.h"

#include <assert.h>

enum { SIDE = 8, SQUARES = SIDE * SIDE };

const struct variant variants[BOARD_KINDS] = {
    [BOARD_OPEN] = {.kind = BOARD_OPEN,
                    .squares = UINT64_C(0x7effffffffffff7e),
                    .free = UINT64_C(0x007e7e7e7e7e7e00)},
    [BOARD_OTHELLO] = {.kind = BOARD_OTHELLO,
                       .squares = UINT64_C(0xffffffffffffffff),
                       .start = {.own = UINT64_C(0x0000000810000000),
                                 .other = UINT64_C(0x0000001008000000)}},
};

const struct variant *board_variant(const struct ruleset *rules) {
    return &variants[rules->number[0]];
}

// The state says in text what it is; that is slow, and done once a move.
struct board board_of_state(const struct ruleset *rules, const void *state) {
    char text[STATE_TEXT_MAX], grid[SQUARES];
    const char *at = text;
    struct board b = {0};
    rules->game->write_state(state, text);
    const char *wrong = grid_read(&at, SIDE, SIDE, grid);
    assert(!wrong);
    (void)wrong;
    for (int i = 0; i < SQUARES; i++) {
        b.own |= grid[i] == 'X' ? bit(i) : 0;
        b.other |= grid[i] == 'O' ? bit(i) : 0;
    }
    return rules->game->turn(state) == 2 ? board_pass(&b) : b;
}
