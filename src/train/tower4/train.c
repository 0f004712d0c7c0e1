// SPDX-License-Identifier: MIT
// Training in generations: games played with the weights of the generation before, then new weights
// fitted to these games and those of the generation before. The first generation knows only the
// lines made.
#include "train/trainers.h"

#include "base/mem.h"
#include "train/tower4/learn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 10000, GENERATIONS = 4, CHUNK_GAMES = 250, HELD_PERCENT = 5, NAME_BYTES = 32 };

// How a generation plays and learns; the last line holds for all further ones.
static const struct recipe {
    int share; // one in so many of the games of the last generation
    uint64_t nodes;
    double result;
    int passes;
} recipes[] = {
    {8, 200, 1, 10},
    {4, 400, 0.7, 10},
    {2, 400, 0.5, 10},
    {1, 400, 0.4, 12},
};

enum { RECIPES = sizeof recipes / sizeof *recipes };

struct generation {
    const struct training *training;
    const struct recipe *recipe;
    int number;
    int64_t games;
    struct lattice lattice;
    struct net *net; // to play with
    char chunk_name[NAME_BYTES], weights_name[NAME_BYTES];
};

static void make_chunk(const void *maker, int number, struct buf *out) {
    const struct generation *g = maker;
    const struct selfplay play = {.lattice = &g->lattice,
                                  .net = g->net,
                                  .seed = g->training->seed * 100 + (uint64_t)g->number,
                                  .nodes = g->recipe->nodes};
    const int64_t next = ((int64_t)number + 1) * CHUNK_GAMES,
                  end = next < g->games ? next : g->games;
    struct search *search = mem_lines(sizeof *search);
    struct stop stop;
    search->memo = memo_new(1 << 20);
    search->stop = &stop;
    for (int64_t i = (int64_t)number * CHUNK_GAMES; i < end; i++)
        tower_selfplay(&play, (uint32_t)i, search, out);
    memo_free(search->memo);
    free(search);
}

static struct chunks chunks_of(const struct generation *g) {
    return (struct chunks){.name = g->chunk_name,
                           .count = (int)((g->games + CHUNK_GAMES - 1) / CHUNK_GAMES),
                           .make = make_chunk,
                           .maker = g};
}

static void generation_init(struct generation *g, const struct training *t, int number, int last) {
    *g = (struct generation){.training = t,
                             .recipe = &recipes[number < RECIPES ? number : RECIPES - 1],
                             .number = number};
    const int64_t all = t->games ? t->games : GAMES;
    g->games = number == last ? all : all / g->recipe->share;
    lattice_init(&g->lattice, &t->rules);
    snprintf(g->chunk_name, NAME_BYTES, "games-%d", number);
    snprintf(g->weights_name, NAME_BYTES, "weights-%d.bin", number);
}

static bool load_weights(const struct training *t, int number, struct weights *weights,
                         struct err *err) {
    struct buf packed = {.data = NULL};
    char name[NAME_BYTES];
    *weights = (struct weights){.row = {{0}}};
    if (number < 0)
        return true;
    snprintf(name, sizeof name, "weights-%d.bin", number);
    const bool good = train_load(t, name, &packed, err) &&
                      tower_net_read(packed.data, packed.length, &t->rules, weights, err);
    buf_done(&packed);
    return good;
}

static void tell(void *listener, int pass, double trained, double held) {
    const struct generation *g = listener;
    train_say(g->training, "generation %d, pass %d: error %.2f points, held out %.2f", g->number,
              pass, trained, held);
}

// Fits the weights to the games of this generation and the one before.
static bool learn(struct generation *g, struct generation *before, struct weights *weights,
                  struct err *err) {
    struct buf played = {.data = NULL}, packed = {.data = NULL};
    const struct chunks own = chunks_of(g), old = chunks_of(before);
    const size_t size = (size_t)g->lattice.pieces * sizeof(struct played);
    bool good = (g->number < 2 || train_gather(g->training, &old, &played, err)) &&
                train_gather(g->training, &own, &played, err);
    if (good) {
        const size_t count = played.length / size;
        const struct learning learning = {.lattice = &g->lattice,
                                          .games = (const struct played *)played.data,
                                          .count = count,
                                          .held = (size_t)g->games * HELD_PERCENT / 100,
                                          .passes = g->recipe->passes,
                                          .result = g->recipe->result,
                                          .seed = g->training->seed,
                                          .tell = tell,
                                          .listener = g};
        tower_learn(&learning, weights);
        tower_net_write(weights, &g->training->rules, &packed);
        good = train_save(g->training, g->weights_name, packed.data, packed.length, err);
    }
    buf_done(&packed);
    buf_done(&played);
    return good;
}

static bool run_generation(const struct training *t, int number, int last, struct weights *weights,
                           struct err *err) {
    struct generation *g = mem_new(2, sizeof *g);
    generation_init(&g[0], t, number, last);
    generation_init(&g[1], t, number - (number > 0), last);
    bool done = train_has(t, g->weights_name);
    if (!done && load_weights(t, number - 1, weights, err)) {
        const struct chunks chunks = chunks_of(g);
        g->net = tower_net_of(weights);
        done = train_make(t, &chunks, err) && learn(&g[0], &g[1], weights, err);
        free(g->net);
    }
    free(g);
    return done;
}

bool tower4_train(const struct training *t, struct err *err) {
    const int generations = t->generations ? t->generations : GENERATIONS;
    struct weights *weights = mem_new(1, sizeof *weights);
    char plan[128];
    snprintf(plan, sizeof plan, "weights, %" PRId64 " games, %d generations",
             t->games ? t->games : GAMES, generations);
    bool done = train_begin(t, plan, err);
    for (int i = 0; done && i < generations; i++)
        done = run_generation(t, i, generations - 1, weights, err);
    free(weights);
    return done;
}
