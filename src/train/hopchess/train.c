// SPDX-License-Identifier: MIT
// The first generation plays by pieces and columns alone. Weights are fitted to all games so far;
// what is aimed at is half the game's result and half what the search saw.
#include "base/mem.h"
#include "engine/hopchess/mind.h"
#include "train/hopchess/learn.h"
#include "train/trainers.h"

#include <limits.h>
#include <stdlib.h>

enum { TT_BYTES = 1 << 22 };

static const struct generation_recipe recipes[] = {
    {.share = 4, .nodes = 300, .result = 0.5, .passes = 12},
    {.share = 2, .nodes = 400, .result = 0.5, .passes = 12},
    {.share = 1, .nodes = 500, .result = 0.5, .passes = 12},
    {.share = 1, .nodes = 800, .result = 0.5, .passes = 12},
};

static void *hop_load(const struct training *t, const struct buf *packed, struct err *err) {
    struct hopnet *net = mem_new(1, sizeof *net);
    (void)t;
    hopnet_begin(net);
    if (!packed || hopnet_read(packed->data, packed->length, net, err))
        return net;
    free(net);
    return NULL;
}

static void hop_play(const struct generation *g, int64_t first, int64_t end, struct buf *out) {
    const struct hop_games how = {.rules = &g->training->rules,
                                  .seed = g->training->seed + (uint64_t)g->number * 1000003,
                                  .nodes = g->recipe.nodes};
    struct hop_mind *mind = hop_mind_new(g->player, 0, 1, TT_BYTES);
    for (int64_t i = first; i < end; i++)
        hop_games_play(&how, mind, (uint32_t)i, out);
    hop_mind_free(mind);
}

const struct generations hop_generations = {.games = 6000,
                                            .chunk_games = 200,
                                            .sample_bytes = sizeof(struct hop_sample),
                                            .recipes = recipes,
                                            .recipe_count = sizeof recipes / sizeof *recipes,
                                            .memory = INT_MAX,
                                            .load = hop_load,
                                            .unload = free,
                                            .play = hop_play,
                                            .learn = hop_learn};

bool hopchess_train(const struct training *t, struct err *err) {
    return generations_run(&hop_generations, t, err);
}
