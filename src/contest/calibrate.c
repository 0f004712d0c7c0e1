// SPDX-License-Identifier: MIT
#include "contest/calibrate.h"

#include "base/clock.h"
#include "games/game.h"

#include <assert.h>

enum { DEPTH = 6, RUNS = 5, MOVES_MAX = 64 };

static int64_t count_positions(const struct game *game, const union game_state *state, int depth) {
    move list[MOVES_MAX];
    const int count = game->moves(state, list);
    int64_t sum = 1;
    for (int i = 0; depth > 0 && i < count; i++) {
        union game_state next = *state;
        game->apply(&next, list[i]);
        sum += count_positions(game, &next, depth - 1);
    }
    return sum;
}

int64_t calibrate(void) {
    const struct game *game = game_find("reversi");
    struct ruleset rules;
    union game_state start;
    char why[WHY_TEXT_MAX];
    int64_t best = 0;
    assert(game->moves_max <= MOVES_MAX);
    ruleset_init(&rules, game);
    if (!ruleset_set(&rules, "board", "othello", why) || !game->start(&start, &rules, NULL, why))
        return 0;
    for (int i = 0; i < RUNS; i++) {
        const int64_t before = clock_cpu_us();
        const int64_t positions = count_positions(game, &start, DEPTH);
        const int64_t used = clock_cpu_us() - before;
        const int64_t speed = positions * 1000 / (used > 0 ? used : 1);
        best = speed > best ? speed : best;
    }
    return best;
}
