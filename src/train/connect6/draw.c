// SPDX-License-Identifier: MIT
#include "train/connect6/draw.h"

#include "engine/engine.h"
#include "games/grid.h"

#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS_MAX = 10, STONES_MAX = 5 };

static int size_of(const struct ruleset *rules) { return atoi(engine_rule(rules, "size")); }

void draw_blocks(struct ruleset *rules, struct rng *rng, void *state) {
    char text[RULE_TEXT_MAX] = "none", why[WHY_TEXT_MAX];
    size_t used = 0;
    const int count = 2 * (int)rng_below(rng, BLOCKS_MAX / 2 + 1);
    const uint32_t size = (uint32_t)size_of(rules);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d,%d", used ? " " : "",
                                 (int)rng_below(rng, size), (int)rng_below(rng, size));
    if (!ruleset_set(rules, "blocks", text, why) || !rules->game->start(state, rules, NULL, why)) {
        ruleset_set(rules, "blocks", "none", why); // the same cell twice
        rules->game->start(state, rules, NULL, why);
    }
}

void draw_stone(const struct ruleset *rules, struct rng *rng, void *state) {
    const int size = size_of(rules), margin = size * 5 / GRID_SIDE_MAX;
    const uint32_t middle = (uint32_t)(size - 2 * margin); // more cells than blocks and stones
    const char *wrong;
    do {
        const int x = margin + (int)rng_below(rng, middle);
        const int y = margin + (int)rng_below(rng, middle);
        wrong = game_play(rules->game, state, (move)(y * (GRID_SIDE_MAX + 1) + x));
    } while (wrong);
}

void draw_opening(const struct ruleset *rules, struct rng *rng, void *state) {
    const int stones = 1 + 2 * (int)rng_below(rng, (STONES_MAX + 1) / 2);
    for (int i = 0; i < stones && !game_is_over(rules->game, state); i++)
        draw_stone(rules, rng, state);
}
