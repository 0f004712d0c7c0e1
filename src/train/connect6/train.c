// SPDX-License-Identifier: MIT
// The first generation plays with a net of zeros: the solver and the search alone. New weights go
// on from those of the generation before.
#include "train/trainers.h"

#include "base/mem.h"
#include "train/connect6/learn.h"
#include "train/connect6/selfplay.h"

#include <stdlib.h>

static const struct generation_recipe recipes[] = {
    {.share = 1, .nodes = 2000, .result = 0.6, .passes = 8},
    {.share = 1, .nodes = 800, .result = 0.4, .passes = 6},
    {.share = 2, .nodes = 800, .result = 0.4, .passes = 3},
};

static void *connect6_load(const struct training *t, const struct buf *packed, struct err *err) {
    struct connect6_player *p = mem_lines(sizeof *p);
    (void)t;
    if (packed && !net6_read(packed->data, packed->length, &p->weights, err)) {
        free(p);
        return NULL;
    }
    net6_make(&p->net, &p->weights);
    return p;
}

static const struct generations plan = {.games = 30000,
                                        .chunk_games = 100,
                                        .sample_bytes = sizeof(struct sample6),
                                        .recipes = recipes,
                                        .recipe_count = sizeof recipes / sizeof *recipes,
                                        .memory = 1,
                                        .load = connect6_load,
                                        .unload = free,
                                        .play = connect6_selfplay,
                                        .learn = connect6_learn};

bool connect6_train(const struct training *t, struct err *err) {
    return generations_run(&plan, t, err);
}
