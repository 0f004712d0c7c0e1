// SPDX-License-Identifier: MIT
#include "engine/simple.h"

#include <assert.h>
#include <string.h>

enum { WIN = 1 << 20, LOOKED_AT_MAX = 512 };

move simple_random(const struct game *game, const void *state, struct rng *rng) {
    assert(!game_is_over(game, state));
    return game->nth(state, (int)rng_below(rng, (uint32_t)game->count(state)));
}

// What a position is worth to a player.
static int worth(const struct game *game, const void *state, int player) {
    const struct outcome end = game->outcome(state);
    if (end.ending != ENDING_RUNNING && end.winner != 0)
        return end.winner == player ? WIN : -WIN;
    int scores[2];
    game->scores(state, scores);
    return scores[player - 1] - scores[2 - player];
}

move simple_greedy(const struct game *game, const void *state, struct rng *rng) {
    assert(!game_is_over(game, state));
    const int count = game->count(state), player = game->turn(state);
    const int looked_at = count < LOOKED_AT_MAX ? count : LOOKED_AT_MAX;
    // Where there are too many moves to look at, a run of them from a random place.
    const int first = (int)rng_below(rng, (uint32_t)count);
    move best = 0;
    int best_worth = 0, equals = 0;
    for (int i = 0; i < looked_at; i++) {
        const move m = game->nth(state, (first + i) % count);
        union game_state next;
        memcpy(&next, state, game->state_size);
        game->apply(&next, m);
        const int w = worth(game, &next, player);
        if (equals == 0 || w > best_worth) {
            best = m;
            best_worth = w;
            equals = 1;
        } else if (w == best_worth && rng_below(rng, (uint32_t)++equals) == 0) {
            best = m;
        }
    }
    return best;
}
