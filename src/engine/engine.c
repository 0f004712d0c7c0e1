// SPDX-License-Identifier: MIT
// A brain is an engine's mind and a level. A level takes away: it bounds the nodes, and lets some
// moves be any legal one. Whether a move is such a one is drawn before it is thought of, so the
// same seed gives the same game. Who weighs one move gets an answer at full strength.
//
// A judge's clock runs while an answer travels, so a brain is told to be ready a margin earlier.
#include "engine/engine.h"

#include "base/mem.h"
#include "engine/general/general.h"
#include "engine/share.h"
#include "engine/simple.h"

#include <stdlib.h>
#include <string.h>

enum {
    // An answer travels through two processes, which others may keep waiting. What they wait for a
    // core is credited by our judge; so of a short time it is a tenth.
    MARGIN_US = 25000,
    MARGIN_MOST = 10,
    MARGIN_SHARE = 20, // and a twentieth
};

struct brain {
    struct ruleset rules;
    const struct engine *engine; // NULL: it plays at random
    void *mind;
    enum level level;
    struct rng rng;
};

const struct engine *engine_find(const char *game) {
    for (const struct engine *const *e = engines; *e; e++)
        if (strcmp((*e)->game, game) == 0)
            return *e;
    return NULL;
}

const struct engine *engine_for(const struct game *game) {
    const struct engine *own = engine_find(game->name);
    return own ? own : &engine_general;
}

double engine_tell(const struct engine *engine, const void *state, int value) {
    return engine->tell ? engine->tell(state, value) : value;
}

int engine_worth(const struct engine *engine, int value) {
    enum { WON = 1 << 20 };
    return !engine->counts_plies ? value : value > 0 ? WON - value : -WON - value;
}

static struct brain *make_brain(const struct engine *engine, const struct ruleset *rules,
                                enum level level, int threads, uint64_t seed) {
    struct brain *brain = mem_new(1, sizeof *brain);
    assert(threads >= 1);
    brain->rules = *rules;
    brain->level = level;
    brain->rng.state = seed;
    brain->engine = level == LEVEL_RANDOM ? NULL : engine;
    if (brain->engine)
        brain->mind = brain->engine->new (rules, threads < THREADS_MAX ? threads : THREADS_MAX);
    return brain;
}

struct brain *brain_new(const struct ruleset *rules, enum level level, int threads, uint64_t seed) {
    return make_brain(engine_for(rules->game), rules, level, threads, seed);
}

struct brain *brain_new_general(const struct ruleset *rules, enum level level, int threads,
                                uint64_t seed) {
    return make_brain(&engine_general, rules, level, threads, seed);
}

const struct engine *brain_engine(const struct brain *brain) { return brain->engine; }

void brain_free(struct brain *brain) {
    if (!brain)
        return;
    if (brain->engine)
        brain->engine->free(brain->mind);
    free(brain);
}

void brain_seed(struct brain *brain, uint64_t seed) { brain->rng.state = seed; }

static bool plays_at_random(struct brain *brain, const struct handicap *handicap) {
    return brain->level == LEVEL_RANDOM ||
           (handicap && (int)rng_below(&brain->rng, 100) < handicap->random_percent);
}

static void think_at_random(struct brain *brain, const void *state, struct thought *thought) {
    thought->pv[0] = simple_random(brain->rules.game, state, &brain->rng);
    thought->length = thought->depth = 1;
    thought->nodes = 1;
}

void brain_think(struct brain *brain, const void *state, const struct limits *limits,
                 struct thought *thought) {
    const struct engine *engine = brain->engine;
    const struct handicap *handicap = !engine || brain->level == LEVEL_STRONG ? NULL
                                      : brain->level == LEVEL_EASY            ? &engine->easy
                                                                              : &engine->normal;
    struct limits within = *limits;
    *thought = (struct thought){.length = 0};
    if (plays_at_random(brain, handicap)) {
        think_at_random(brain, state, thought);
        return;
    }
    if (handicap && handicap->nodes && (!within.nodes || handicap->nodes < within.nodes))
        within.nodes = handicap->nodes;
    engine->think(brain->mind, state, &within, MOVE_PASS, thought);
    assert(thought->length >= 1);
}

void brain_weigh(struct brain *brain, const void *state, move only, const struct limits *limits,
                 struct thought *thought) {
    *thought = (struct thought){.pv = {only}, .length = 1};
    if (brain->engine)
        brain->engine->think(brain->mind, state, limits, only, thought);
}

int brain_threats(struct brain *brain, const void *state, int player, move (*list)[2]) {
    const struct engine *engine = brain->engine;
    return engine && engine->threats ? engine->threats(brain->mind, state, player, list) : 0;
}

int64_t brain_time_us(int64_t judged_us) {
    const int64_t most = judged_us / MARGIN_MOST, margin = most < MARGIN_US ? most : MARGIN_US;
    return judged_us - judged_us / MARGIN_SHARE - margin;
}
