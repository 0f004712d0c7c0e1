// SPDX-License-Identifier: MIT
// The engine of hopchess.
#include "engine/hopchess/explain.h"
#include "engine/hopchess/mind.h"
#include "engine/hopchess/score.h"
#include "engine/registry.h"

enum { TT_BYTES = 1 << 27 };

static void *player_new(const struct ruleset *rules, int threads) {
    (void)rules;
    return hop_mind_new(hopnet_find(), 0, threads, TT_BYTES);
}

static void player_free(void *player) { hop_mind_free(player); }

static void player_think(void *player, const void *state, const struct limits *limits, move only,
                         struct thought *thought) {
    hop_mind_think(player, state, limits, only, thought);
}

const struct engine engine_hopchess = {
    .game = "hopchess",
    .unit = "pieces",
    .easy = {.nodes = 1, .random_percent = 40},
    .normal = {.nodes = 200, .random_percent = 15},
    .new = player_new,
    .free = player_free,
    .think = player_think,
    .tell = hop_score,
    .explain = hop_explain,
    .facts = hop_facts,
};
