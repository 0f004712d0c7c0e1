// SPDX-License-Identifier: MIT
// Positions for engines to think of, and whether the line that one expects can be played.
#pragma once

#include "base/rng.h"
#include "check.h"
#include "engine/engine.h"

// Plays at random, fewer than so many plies, as long as the game is not over.
static inline void thoughts_wander(const struct game *game, struct rng *rng, int plies_max,
                                   union game_state *state) {
    for (int plies = (int)rng_below(rng, (uint32_t)plies_max); plies > 0; plies--) {
        union game_state next = *state;
        game->apply(&next, game->nth(&next, (int)rng_below(rng, (uint32_t)game->count(&next))));
        if (game_is_over(game, &next))
            return;
        *state = next;
    }
}

static inline void thoughts_check_line(const struct game *game, const union game_state *from,
                                       const struct thought *t) {
    union game_state state = *from;
    assert_in_range(t->length, 1, PV_MAX);
    for (int i = 0; i < t->length; i++)
        if (game_play(game, &state, t->pv[i]) != NULL)
            fail_msg("%s: move %d of the line is illegal", game->name, i + 1);
}
