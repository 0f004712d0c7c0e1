// SPDX-License-Identifier: MIT
// Training of the weights, in generations: games played with the weights of the generation before,
// then new weights fitted to what the games' positions turned out to be worth. The first generation
// plays at random and learns from the solved ends alone; every later one looks further ahead.
//
// The true score of an early position is hidden behind the errors of a whole game. Therefore a
// later generation asks a search about it, one that looks into the stages already learned
// (learn.h).
#include "train/trainers.h"

#include "train/reversi/learn.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    GAMES = 60000,       // of the last generation
    CHUNK_GAMES = 500,   // a file
    RESULT_PERCENT = 10, // of a score is the game's end, the rest what a search says
    NAME_BYTES = 32,
};

// How a generation plays and learns; the last line holds for all further ones.
static const struct recipe {
    int share; // one in so many of the games of the last generation
    int depth, solve;
    int score_depth;
    double pull;
} recipes[] = {
    {10, 0, 10, 0, 30},
    {3, 2, 12, 4, 8},
    {1, 2, 12, 4, 8},
    {1, 3, 14, 4, 6},
};

enum { RECIPES = sizeof recipes / sizeof *recipes };

struct generation {
    const struct training *training;
    const struct recipe *recipe;
    int number;
    int64_t games;
    enum board_kind kind;
    struct eval *before; // the weights to play with
    char chunk_name[NAME_BYTES], weights_name[NAME_BYTES];
};

static void make_chunk(const void *maker, int number, struct buf *out) {
    const struct generation *g = maker;
    const struct selfplay play = {.variant = &variants[g->kind],
                                  .eval = g->before,
                                  .seed = g->training->seed + (uint64_t)g->number * 1000003,
                                  .depth = g->recipe->depth,
                                  .solve = g->recipe->solve};
    struct exact *exact = exact_new(play.variant);
    for (int i = 0; i < CHUNK_GAMES; i++) {
        const int64_t game = (int64_t)number * CHUNK_GAMES + i;
        exact_clear(exact);
        if (game < g->games)
            selfplay_game(&play, exact, (uint32_t)game, out);
    }
    exact_free(exact);
}

static struct chunks chunks_of(const struct generation *g) {
    return (struct chunks){.name = g->chunk_name,
                           .count = (int)((g->games + CHUNK_GAMES - 1) / CHUNK_GAMES),
                           .make = make_chunk,
                           .maker = g};
}

static bool learn(const struct generation *g, struct sample *samples, size_t count,
                  struct err *err) {
    char name[NAME_BYTES];
    const struct lesson lesson = {.training = g->training,
                                  .name = name,
                                  .depth = g->recipe->score_depth,
                                  .result_percent = RESULT_PERCENT,
                                  .pull = g->recipe->pull};
    struct eval *eval = eval_empty(g->kind);
    struct buf packed = {.data = NULL};
    snprintf(name, sizeof name, "scores-%d", g->number);
    const bool learned = learn_weights(&lesson, samples, count, eval, err);
    if (learned)
        eval_pack(eval, &packed);
    const bool saved =
        learned && train_save(g->training, g->weights_name, packed.data, packed.length, err);
    if (saved)
        train_say(g->training, "%s/%s: %zu bytes from %zu positions", g->training->folder,
                  g->weights_name, packed.length, count);
    buf_done(&packed);
    eval_free(eval);
    return saved;
}

static bool load_before(struct generation *g, struct err *err) {
    struct buf packed = {.data = NULL};
    char name[NAME_BYTES];
    if (g->number == 0) {
        g->before = eval_empty(g->kind);
        return true;
    }
    snprintf(name, sizeof name, "weights-%d.bin", g->number - 1);
    if (train_load(g->training, name, &packed, err))
        g->before = eval_unpack(g->kind, packed.data, packed.length, err);
    buf_done(&packed);
    return g->before != NULL;
}

static bool run_generation(struct generation *g, struct err *err) {
    struct buf samples = {.data = NULL};
    if (train_has(g->training, g->weights_name)) {
        train_say(g->training, "%s/%s is there", g->training->folder, g->weights_name);
        return true;
    }
    if (!load_before(g, err))
        return false;
    const struct chunks chunks = chunks_of(g);
    const bool done =
        train_make(g->training, &chunks, err) &&
        train_gather(g->training, &chunks, &samples, err) &&
        learn(g, (struct sample *)samples.data, samples.length / sizeof(struct sample), err);
    buf_done(&samples);
    eval_free(g->before);
    return done;
}

bool reversi_train(const struct training *t, struct err *err) {
    const int64_t full = t->games ? t->games : GAMES;
    const int generations = t->generations ? t->generations : RECIPES;
    const enum board_kind kind = board_variant(&t->rules)->kind;
    char plan[64];
    snprintf(plan, sizeof plan, "weights, %" PRId64 " games", full);
    if (!train_begin(t, plan, err))
        return false;
    for (int i = 0; i < generations; i++) {
        const struct recipe *recipe = &recipes[i < RECIPES ? i : RECIPES - 1];
        struct generation g = {.training = t,
                               .recipe = recipe,
                               .number = i,
                               .games = full / recipe->share,
                               .kind = kind};
        snprintf(g.chunk_name, sizeof g.chunk_name, "games-%d", i);
        snprintf(g.weights_name, sizeof g.weights_name, "weights-%d.bin", i);
        if (!run_generation(&g, err))
            return false;
    }
    return true;
}
