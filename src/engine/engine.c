// SPDX-License-Identifier: MIT
// A brain is an engine's mind and a rung. A rung takes away: it bounds the nodes, and of the legal
// moves it sees a part. So its mistakes are those of a player who overlooks something: what it sees
// it judges, and among that it plays the best. Which moves it misses is drawn before it thinks, so
// the same seed gives the same game. Who weighs one move gets an answer at full strength.
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
    struct rung rung;
    move *list;        // of legal moves
    move (*missed)[2]; // as limits have it
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

void brain_set_rung(struct brain *brain, const struct rung *rung) {
    const size_t moves = (size_t)brain->rules.game->moves_max;
    brain->rung = *rung;
    if (rung->misses > 0 && !brain->list) {
        brain->list = mem_new(moves, sizeof *brain->list);
        brain->missed = mem_new(moves, sizeof *brain->missed);
    }
}

static struct brain *make_brain(const struct engine *engine, const struct ruleset *rules,
                                enum level level, int threads, uint64_t seed) {
    struct brain *brain = mem_new(1, sizeof *brain);
    struct rungs rungs;
    assert(threads >= 1 && level <= LEVEL_MOST);
    brain->rules = *rules;
    brain->rng.state = seed;
    rungs_find(&rungs, engine->game ? engine->game : "");
    if (level != LEVEL_RANDOM)
        brain_set_rung(brain, &rungs.rung[level - 1]);
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
    free(brain->list);
    free(brain->missed);
    free(brain);
}

bool brain_teach(struct brain *brain, const char *sum, const void *bytes, size_t size,
                 struct err *err) {
    const struct engine *engine = brain->engine;
    return engine && engine->teach && engine->teach(brain->mind, sum, bytes, size, err);
}

void brain_seed(struct brain *brain, uint64_t seed) { brain->rng.state = seed; }

static void think_at_random(struct brain *brain, const void *state, struct thought *thought) {
    thought->pv[0] = simple_random(brain->rules.game, state, &brain->rng);
    thought->length = thought->depth = 1;
    thought->nodes = 1;
}

// Draws which of the legal moves are missed. As many are seen as an answer holds, at least; they
// stand in the list then. Returns how many.
static int miss(struct brain *brain, const void *state, struct limits *within) {
    const struct game *game = brain->rules.game;
    const int count = game->moves(state, brain->list);
    const int wanted = brain->engine->thinks_turns ? game->due(state) : 1;
    int missed = 0, seen = 0;
    for (int i = 0; i < count; i++)
        if ((int)rng_below(&brain->rng, 100) >= brain->rung.misses) {
            brain->list[seen++] = brain->list[i];
        } else {
            brain->missed[missed][0] = brain->list[i];
            brain->missed[missed++][1] = MOVE_PASS;
        }
    while (missed > 0 && seen < wanted) {
        move *one = brain->missed[rng_below(&brain->rng, (uint32_t)missed--)];
        brain->list[seen++] = one[0];
        one[0] = brain->missed[missed][0];
    }
    within->except = (const move(*)[2])brain->missed;
    within->except_count = missed;
    return seen;
}

// Among the moves that it sees. An engine that thinks nothing of any of them answers with another;
// then it is one of them, whichever.
static void think_partly(struct brain *brain, const void *state, struct limits *within,
                         struct thought *thought) {
    const struct game *game = brain->rules.game;
    const int seen = miss(brain, state, within);
    brain->engine->think(brain->mind, state, within, MOVE_PASS, thought);
    const bool pair = brain->engine->thinks_turns && game->due(state) > 1 && thought->length > 1;
    if (!limits_except(within, thought->pv[0], pair ? thought->pv[1] : MOVE_PASS))
        return;
    thought->pv[0] = brain->list[rng_below(&brain->rng, (uint32_t)seen)];
    thought->length = 1;
    thought->exact = false;
}

void brain_think(struct brain *brain, const void *state, const struct limits *limits,
                 struct thought *thought) {
    const struct engine *engine = brain->engine;
    const uint64_t nodes = (uint64_t)brain->rung.nodes;
    struct limits within = *limits;
    *thought = (struct thought){.length = 0};
    if (!engine) {
        think_at_random(brain, state, thought);
        return;
    }
    if (nodes && (!within.nodes || nodes < within.nodes))
        within.nodes = nodes;
    if (brain->rung.misses > 0 && !within.except_count)
        think_partly(brain, state, &within, thought);
    else
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
