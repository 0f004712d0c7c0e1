// SPDX-License-Identifier: MIT
// The first generation plays at random and learns from the solved ends alone; every later one looks
// further ahead.
//
// The true score of an early position is hidden behind the errors of a whole game. Therefore a
// later generation asks the stages already learned about it (learn.c).
#include "train/reversi/learn.h"
#include "train/trainers.h"

static const struct generation_recipe recipes[] = {
    {.share = 20, .depth = 0, .solve = 10, .score_depth = 0, .pull = 30},
    {.share = 8, .depth = 2, .solve = 12, .score_depth = 3, .pull = 8},
    {.share = 4, .depth = 3, .solve = 12, .score_depth = 3, .pull = 8},
    {.share = 1, .depth = 3, .solve = 14, .score_depth = 3, .pull = 30},
    {.share = 2, .depth = 3, .solve = 14, .score_depth = 3, .pull = 30},
};

static enum board_kind kind_of(const struct training *t) { return board_variant(&t->rules)->kind; }

static void *reversi_load(const struct training *t, const struct buf *packed, struct err *err) {
    return packed ? eval_unpack(kind_of(t), packed->data, packed->length, err)
                  : eval_empty(kind_of(t));
}

static void reversi_unload(void *player) { eval_free(player); }

static void reversi_play(const struct generation *g, int64_t first, int64_t end, struct buf *out) {
    const struct reversi_selfplay how = {.variant = board_variant(&g->training->rules),
                                         .eval = g->player,
                                         .seed = g->training->seed + (uint64_t)g->number * 1000003,
                                         .depth = g->recipe.depth,
                                         .solve = g->recipe.solve};
    struct exact *exact = exact_new(how.variant);
    for (int64_t i = first; i < end; i++) {
        exact_clear(exact);
        selfplay_game(&how, exact, (uint32_t)i, out);
    }
    exact_free(exact);
}

const struct generations reversi_generations = {.games = 106666,
                                                .chunk_games = 500,
                                                .sample_bytes = sizeof(struct reversi_sample),
                                                .recipes = recipes,
                                                .recipe_count = sizeof recipes / sizeof *recipes,
                                                .memory = 1,
                                                .unfit = 3,
                                                .load = reversi_load,
                                                .unload = reversi_unload,
                                                .play = reversi_play,
                                                .learn = reversi_learn};

bool reversi_train(const struct training *t, struct err *err) {
    return generations_run(&reversi_generations, t, err);
}
