// SPDX-License-Identifier: MIT
// The built-in player of tower4.
#include "base/mem.h"
#include "engine/deepen.h"
#include "engine/tower4/explain.h"
#include "engine/tower4/search.h"

#include <stdlib.h>

enum {
    TT_BYTES = 256 << 20,
    DEPTH_MAX = 60,
    KEPT_US = 1, // nodes that a thread leaves in the table, in a microsecond
};

struct tower_mind {
    const struct game *game;
    struct lattice lattice;
    const struct net *net;
    struct tt *tt;
    struct stop stop;
    int threads;
    struct tower_search *search; // one for each
};

static void tower_free(void *mind) {
    struct tower_mind *m = mind;
    free(m->search);
    tt_free(m->tt);
    free(m);
}

static void *tower_new(const struct ruleset *rules, int threads) {
    struct tower_mind *m = mem_new(1, sizeof *m);
    m->net = tower_net_find(rules);
    m->game = rules->game;
    m->threads = threads;
    lattice_init(&m->lattice, rules);
    m->tt = tt_new(TT_BYTES);
    m->search = mem_lines((size_t)threads * sizeof *m->search);
    for (int i = 0; i < threads; i++) {
        m->search[i].tt = m->tt;
        m->search[i].stop = &m->stop;
    }
    return m;
}

// Every thread begins where the game stands.
static void prepare(struct tower_mind *m, const void *state, const struct limits *limits,
                    move only) {
    int scores[2];
    m->game->scores(state, scores);
    tt_begin(m->tt, limits->nodes, (uint64_t)limits->time_us * KEPT_US * (uint64_t)m->threads);
    for (int i = 0; i < m->threads; i++) {
        struct tower_search *s = &m->search[i];
        tower_read(&s->board, &m->lattice, m->net, m->game, state);
        tower_mirror(&s->board);
        s->points = s->board.side ? scores[1] - scores[0] : scores[0] - scores[1];
        s->only = only == MOVE_PASS ? -1 : m->lattice.column[only];
        s->except = 0;
        for (int k = 0; k < limits->except_count; k++)
            s->except |= UINT32_C(1) << m->lattice.column[limits->except[k][0]];
        s->nodes = 0;
        tower_search_forget(s);
    }
}

static void tower_think(void *mind, const void *state, const struct limits *limits, move only,
                        struct thought *thought) {
    struct tower_mind *m = mind;
    stop_init(&m->stop, limits);
    prepare(m, state, limits, only);
    const int left = m->search->board.left;
    const struct deepening d = {.first = 1,
                                .last = left < DEPTH_MAX ? left : DEPTH_MAX,
                                .search = tower_search_run,
                                .threads = m->search,
                                .thread_bytes = sizeof *m->search,
                                .thread_count = m->threads,
                                .stop = &m->stop};
    deepen(&d, thought);
}

const struct engine engine_tower4 = {
    .game = "tower4",
    .unit = "points",
    .counted = {"point", "points", 1},
    .new = tower_new,
    .free = tower_free,
    .think = tower_think,
    .explain = tower_explain,
    .facts = tower_facts,
};
