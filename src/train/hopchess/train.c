// SPDX-License-Identifier: MIT
// Training in generations: games played with the weights of the generation before, then new weights
// fitted to all games so far. The first generation plays by pieces and columns
// alone. What is aimed at is half the game's result and half what the search saw.
#include "train/trainers.h"

#include "base/mem.h"
#include "engine/hopchess/mind.h"
#include "train/hopchess/learn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    GAMES = 6000,      // of the last generation
    CHUNK_GAMES = 200, // a file
    NAME_BYTES = 32,
    MEMO_BYTES = 1 << 22,
    HELD_PERCENT = 5,
    PASSES = 12,
};

// How a generation plays and learns; the last line holds for all further ones.
static const struct recipe {
    int share; // one in so many of the games of the last generation
    uint64_t nodes;
    double result;
} recipes[] = {
    {4, 300, 0.5},
    {2, 400, 0.5},
    {1, 500, 0.5},
    {1, 800, 0.5},
};

enum { RECIPES = sizeof recipes / sizeof *recipes };

struct generation {
    const struct training *training;
    const struct recipe *recipe;
    int number;
    int64_t games;
    struct hopnet *before; // to play with
    char chunk_name[NAME_BYTES], weights_name[NAME_BYTES];
};

static void generation_init(struct generation *g, const struct training *t, int number) {
    const int64_t full = t->games ? t->games : GAMES;
    *g = (struct generation){.training = t, .number = number};
    g->recipe = &recipes[number < RECIPES ? number : RECIPES - 1];
    g->games = full / g->recipe->share;
    snprintf(g->chunk_name, sizeof g->chunk_name, "games-%d", number);
    snprintf(g->weights_name, sizeof g->weights_name, "weights-%d.bin", number);
}

static void make_chunk(const void *maker, int number, struct buf *out) {
    const struct generation *g = maker;
    const struct hop_games how = {.rules = &g->training->rules,
                                  .net = g->before,
                                  .seed = g->training->seed + (uint64_t)g->number * 1000003,
                                  .nodes = g->recipe->nodes};
    struct hop_mind *mind = hop_mind_new(g->before, 0, 1, MEMO_BYTES);
    for (int i = 0; i < CHUNK_GAMES; i++) {
        const int64_t game = (int64_t)number * CHUNK_GAMES + i;
        if (game < g->games)
            hop_games_play(&how, mind, (uint32_t)game, out);
    }
    hop_mind_free(mind);
}

static struct chunks chunks_of(const struct generation *g) {
    return (struct chunks){.name = g->chunk_name,
                           .count = (int)((g->games + CHUNK_GAMES - 1) / CHUNK_GAMES),
                           .make = make_chunk,
                           .maker = g};
}

static void tell(void *listener, int pass, double trained, double held) {
    const struct generation *g = listener;
    if (pass % 2 == 0)
        train_say(g->training, "generation %d, pass %2d: loss %.5f, held out %.5f", g->number, pass,
                  trained, held);
}

static bool learn(struct generation *g, const struct buf *samples, struct err *err) {
    struct buf packed = {.data = NULL};
    const struct hop_lesson lesson = {.samples = (const struct hop_sample *)samples->data,
                                      .count = samples->length / sizeof(struct hop_sample),
                                      .held_percent = HELD_PERCENT,
                                      .passes = PASSES,
                                      .result = g->recipe->result,
                                      .seed = g->training->seed,
                                      .tell = tell,
                                      .listener = g};
    struct hopnet *net = mem_new(1, sizeof *net);
    hopnet_begin(net);
    hop_learn(&lesson, net);
    hopnet_write(net, &packed);
    const bool saved = train_save(g->training, g->weights_name, packed.data, packed.length, err);
    if (saved)
        train_say(g->training, "%s/%s: %zu bytes from %zu positions", g->training->folder,
                  g->weights_name, packed.length, lesson.count);
    buf_done(&packed);
    free(net);
    return saved;
}

static bool load_before(struct generation *g, struct err *err) {
    struct buf packed = {.data = NULL};
    char name[NAME_BYTES];
    hopnet_begin(g->before);
    if (g->number == 0)
        return true;
    snprintf(name, sizeof name, "weights-%d.bin", g->number - 1);
    const bool read = train_load(g->training, name, &packed, err) &&
                      hopnet_read(packed.data, packed.length, g->before, err);
    buf_done(&packed);
    return read;
}

// The games of all generations so far.
static bool gather(const struct generation *g, struct buf *samples, struct err *err) {
    for (int i = 0; i <= g->number; i++) {
        struct generation then;
        generation_init(&then, g->training, i);
        const struct chunks chunks = chunks_of(&then);
        if (!train_gather(g->training, &chunks, samples, err))
            return false;
    }
    return true;
}

static bool run_generation(struct generation *g, struct err *err) {
    struct buf samples = {.data = NULL};
    const struct chunks chunks = chunks_of(g);
    if (train_has(g->training, g->weights_name))
        return true;
    g->before = mem_new(1, sizeof *g->before);
    const bool done = load_before(g, err) && train_make(g->training, &chunks, err) &&
                      gather(g, &samples, err) && learn(g, &samples, err);
    buf_done(&samples);
    free(g->before);
    return done;
}

bool hopchess_train(const struct training *t, struct err *err) {
    const int generations = t->generations ? t->generations : RECIPES;
    char plan[64];
    snprintf(plan, sizeof plan, "weights, %" PRId64 " games", t->games ? t->games : GAMES);
    if (!train_begin(t, plan, err))
        return false;
    for (int i = 0; i < generations; i++) {
        struct generation g;
        generation_init(&g, t, i);
        if (!run_generation(&g, err))
            return false;
    }
    return true;
}
