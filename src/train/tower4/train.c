// SPDX-License-Identifier: MIT
// The first generation knows only the lines made. New weights go on from those of the generation
// before.
#include "base/mem.h"
#include "train/generations.h"
#include "train/tower4/learn.h"
#include "train/trainers.h"

#include <stdlib.h>

enum { HELD_PERCENT = 5, TT_BYTES = 1 << 20 };

static const struct generation_recipe recipes[] = {
    {.share = 8, .nodes = 200, .result = 1, .passes = 10},
    {.share = 4, .nodes = 400, .result = 0.7, .passes = 10},
    {.share = 2, .nodes = 400, .result = 0.5, .passes = 10},
    {.share = 1, .nodes = 400, .result = 0.4, .passes = 12},
};

struct tower_player {
    struct lattice lattice;
    struct tower_weights weights;
    struct net *net;
};

static void unload(void *player) {
    struct tower_player *p = player;
    free(p->net);
    free(p);
}

static void *load(const struct training *t, const struct buf *packed, struct err *err) {
    struct tower_player *p = mem_new(1, sizeof *p);
    lattice_init(&p->lattice, &t->rules);
    if (packed && !tower_net_read(packed->data, packed->length, &t->rules, &p->weights, err)) {
        free(p);
        return NULL;
    }
    p->net = tower_net_of(&p->weights);
    return p;
}

static void play(const struct generation *g, int64_t first, int64_t end, struct buf *out) {
    const struct tower_player *p = g->player;
    const struct tower_selfplay how = {.lattice = &p->lattice,
                                       .net = p->net,
                                       .seed = g->training->seed * 100 + (uint64_t)g->number,
                                       .nodes = g->recipe->nodes};
    struct tower_search *search = mem_lines(sizeof *search);
    struct stop stop;
    search->tt = tt_new(TT_BYTES);
    search->stop = &stop;
    for (int64_t i = first; i < end; i++)
        tower_selfplay(&how, (uint32_t)i, search, out);
    tt_free(search->tt);
    free(search);
}

static void tell(void *listener, int pass, double trained, double held) {
    const struct generation *g = listener;
    train_say(g->training, "generation %d, pass %d: error %.2f points, held out %.2f", g->number,
              pass, trained, held);
}

static bool learn(const struct generation *g, struct buf *samples, struct buf *packed,
                  struct err *err) {
    struct tower_player *p = g->player;
    const size_t game = (size_t)p->lattice.pieces * sizeof(struct played);
    const struct tower_learning learning = {.lattice = &p->lattice,
                                            .games = (const struct played *)samples->data,
                                            .count = samples->length / game,
                                            .held = (size_t)g->games * HELD_PERCENT / 100,
                                            .passes = g->recipe->passes,
                                            .result = g->recipe->result,
                                            .seed = g->training->seed,
                                            .tell = tell,
                                            .listener = (void *)g};
    (void)err;
    tower_learn(&learning, &p->weights);
    tower_net_write(&p->weights, &g->training->rules, packed);
    return true;
}

bool tower4_train(const struct training *t, struct err *err) {
    static const struct generations plan = {.games = 10000,
                                            .chunk_games = 250,
                                            .sample_bytes = sizeof(struct played),
                                            .recipes = recipes,
                                            .recipe_count = sizeof recipes / sizeof *recipes,
                                            .last_is_whole = true,
                                            .memory = 1,
                                            .unfit = 1,
                                            .load = load,
                                            .unload = unload,
                                            .play = play,
                                            .learn = learn};
    return generations_run(&plan, t, err);
}
