// SPDX-License-Identifier: MIT
// The first generation knows only the lines made. New weights go on from those of the generation
// before.
//
// A game begins with drops that are drawn at random, and now and then another is thrown in until
// the end is near, so that it comes to positions of many kinds.
#include "base/mem.h"
#include "base/rng.h"
#include "games/bits.h"
#include "train/tower4/learn.h"
#include "train/trainers.h"

#include <stdlib.h>

enum {
    TT_BYTES = 1 << 20,
    RANDOM_MIN = 2, // plies at the beginning are drawn at random, and up to so many more
    RANDOM_MORE = 10,
    STRAY_PERCENT = 4, // of later drops too
    STRAY_LEFT = 12,   // until so many pieces are left
};

static const struct generation_recipe recipes[] = {
    {.share = 8, .nodes = 200, .result = 1, .passes = 10},
    {.share = 4, .nodes = 400, .result = 0.7, .passes = 10},
    {.share = 2, .nodes = 400, .result = 0.5, .passes = 10},
    {.share = 1, .nodes = 400, .result = 0.4, .passes = 12},
};

static void tower_unload(void *player) {
    struct tower_player *p = player;
    free(p->net);
    free(p);
}

static void *tower_load(const struct training *t, const struct buf *packed, struct err *err) {
    struct tower_player *p = mem_new(1, sizeof *p);
    lattice_init(&p->lattice, &t->rules);
    if (packed && !tower_net_read(packed->data, packed->length, &t->rules, &p->weights, err)) {
        free(p);
        return NULL;
    }
    p->net = tower_net_of(&p->weights);
    return p;
}

static struct played draw(const struct tower_board *b, struct rng *rng) {
    const uint32_t columns = tower_columns(b);
    const int n = (int)rng_below(rng, (uint32_t)bits_count(columns));
    return (struct played){.column = (uint8_t)bits_nth(columns, n)};
}

static struct played think(const struct generation *g, struct tower_search *s) {
    struct thought thought = {.length = 0};
    tt_age(s->tt);
    tower_search_think(s, g->recipe.nodes, &thought);
    return (struct played){.column = s->board.lattice->column[thought.pv[0]],
                           .searched = 1,
                           .gain = (int16_t)thought.value};
}

static void play_game(const struct generation *g, int64_t number, struct tower_search *s,
                      struct buf *out) {
    const struct tower_player *p = g->player;
    const uint64_t seed = g->training->seed * 100 + (uint64_t)g->number;
    struct rng rng = {seed * UINT64_C(1000003) + (uint64_t)number};
    const int random = RANDOM_MIN + (int)rng_below(&rng, RANDOM_MORE + 1);
    tower_init(&s->board, &p->lattice, p->net);
    tt_clear(s->tt, g->recipe.nodes * 8);
    while (s->board.left > 0) {
        const bool stray = s->board.played < random ||
                           (s->board.left > STRAY_LEFT && rng_below(&rng, 100) < STRAY_PERCENT);
        const struct played ply = stray ? draw(&s->board, &rng) : think(g, s);
        buf_put(out, &ply, sizeof ply);
        tower_drop(&s->board, ply.column);
    }
}

static void tower_play(const struct generation *g, int64_t first, int64_t end, struct buf *out) {
    struct tower_search *search = mem_lines(sizeof *search);
    struct stop stop;
    search->tt = tt_new(TT_BYTES);
    search->stop = &stop;
    for (int64_t i = first; i < end; i++)
        play_game(g, i, search, out);
    tt_free(search->tt);
    free(search);
}

const struct generations tower_generations = {.games = 10000,
                                              .chunk_games = 250,
                                              .sample_bytes = sizeof(struct played),
                                              .recipes = recipes,
                                              .recipe_count = sizeof recipes / sizeof *recipes,
                                              .last_is_whole = true,
                                              .memory = 1,
                                              .unfit = 1,
                                              .load = tower_load,
                                              .unload = tower_unload,
                                              .play = tower_play,
                                              .learn = tower_learn};

bool tower4_train(const struct training *t, struct err *err) {
    return generations_run(&tower_generations, t, err);
}
