// SPDX-License-Identifier: MIT
// The position is searched, then again without the answers that were found. What is certain of the
// first bounds the others: nothing is better than the best. A search without it may not see so far,
// and what it says beyond that bound is not believed.
#include "engine/several.h"

#include "base/clock.h"

#include <assert.h>
#include <string.h>

struct several {
    struct brain *brain;
    const struct game *game;
    const struct engine *engine;
    const void *state;
    move found[SEVERAL_MAX][2];
    int count;
};

// The moves of a thought that are its answer.
static void read_answer(const struct several *s, const struct thought *t, move answer[2]) {
    union game_state state;
    memcpy(&state, s->state, s->game->state_size);
    const int player = s->game->turn(&state);
    answer[0] = t->pv[0];
    answer[1] = MOVE_PASS;
    s->game->apply(&state, t->pv[0]);
    if (s->engine->thinks_turns && t->length > 1 && s->game->turn(&state) == player)
        answer[1] = t->pv[1];
}

// How many answers there are, or more than SEVERAL_MAX of them.
static int count_answers(const struct several *s) {
    const int moves = s->game->count(s->state);
    return s->engine->thinks_turns && s->game->due(s->state) > 1 ? moves * (moves - 1) / 2 : moves;
}

// One of so many shares that are left.
static struct limits share_of(const struct limits *all, int64_t until_us, int shares, int left) {
    struct limits share = *all;
    const int64_t rest_us = until_us - clock_now_us();
    if (all->time_us)
        share.time_us = rest_us > left ? rest_us / left : 1;
    if (all->nodes)
        share.nodes = all->nodes > (uint64_t)shares ? all->nodes / (uint64_t)shares : 1;
    return share;
}

static bool think_next(struct several *s, const struct limits *share, struct thought *t) {
    struct limits limits = *share;
    limits.except = (const move(*)[2])s->found;
    limits.except_count = s->count;
    brain_think(s->brain, s->state, &limits, t);
    read_answer(s, t, s->found[s->count]);
    return !limits_except(&limits, s->found[s->count][0], s->found[s->count][1]);
}

static void bound(const struct several *s, const struct thought *best, struct thought *t) {
    if (best->exact && engine_worth(s->engine, t->value) > engine_worth(s->engine, best->value)) {
        t->value = best->value;
        t->exact = false;
    }
}

// Moves the last one to where its worth belongs.
static void sort_in(const struct several *s, struct thought *thoughts, int last) {
    const struct thought t = thoughts[last];
    const int worth = engine_worth(s->engine, t.value);
    for (; last > 0 && engine_worth(s->engine, thoughts[last - 1].value) < worth; last--)
        thoughts[last] = thoughts[last - 1];
    thoughts[last] = t;
}

int brain_think_several(struct brain *brain, const struct game *game, const void *state,
                        const struct limits *limits, int most,
                        struct thought thoughts[static SEVERAL_MAX]) {
    struct several s = {
        .brain = brain, .game = game, .engine = brain_engine(brain), .state = state};
    const int64_t until_us = clock_now_us() + limits->time_us;
    assert(s.engine && most >= 1 && most <= SEVERAL_MAX);
    const int all = count_answers(&s), wanted = most < all ? most : all;
    for (; s.count < wanted; s.count++) {
        const struct limits share = share_of(limits, until_us, wanted, wanted - s.count);
        struct thought *t = &thoughts[s.count];
        if (!think_next(&s, &share, t))
            break;
        if (s.count > 0)
            bound(&s, &thoughts[0], t);
        sort_in(&s, thoughts, s.count);
    }
    return s.count;
}
