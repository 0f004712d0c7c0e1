// SPDX-License-Identifier: MIT
// A thought deepens ply by ply. Each depth is searched with a narrow window around the value of the
// depth before (aspiration), and the moves at the root keep the order that the searches have given
// them. The rules count hops, the search does not: a chain so long that they might refuse it is
// shown to them before it is a move to choose from.
#include "engine/hopchess/mind.h"

#include "base/mem.h"
#include "engine/deepen.h"
#include "engine/hopchess/explain.h"
#include "engine/hopchess/score.h"
#include "engine/hopchess/search.h"
#include "engine/registry.h"
#include "games/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    TT_BYTES = 1 << 27,
    WINDOW = 40, // around the value expected, to begin with
    WHOLE = 6,   // turns left that are always searched to the end
    COUNTED = 6, // captures from which on a chain may be too long
    HURRY = 50,  // one legal move gets this part of the time
    KEPT_US = 2, // nodes that a thread leaves in the table, in a microsecond
};

// What the threads of one thought share.
struct hop_task {
    struct hopchess state;
    struct hop_field field;
    struct leap *leaps; // to choose from
    int count;
};

struct hop_thread {
    struct hop_search search;
    const struct hop_task *task;
    struct leap *leaps; // the same, by what this thread has found
    int value;          // of the last search
};

struct hop_mind {
    struct tt *tt;
    struct hop_thread *threads;
    int thread_count;
};

// Searches with a narrow window around the value expected, and a wider one where that fails.
static int search_around(struct hop_thread *t, int depth, struct hop_line *line) {
    int width = WINDOW, value = t->value;
    struct hop_node root = {.field = &t->task->field,
                            .alpha = depth < 3 ? -HOP_NONE : value - width,
                            .beta = depth < 3 ? HOP_NONE : value + width,
                            .depth = depth};
    struct hop_line found;
    line->length = 0;
    for (;;) {
        const int now = hop_search_run(&t->search, &root, t->leaps, t->task->count, &found);
        if (found.length > 0)
            *line = found;
        if (found.length > 0 || !hop_search_stopped(&t->search))
            value = now; // else it was stopped before it knew any
        if (hop_search_stopped(&t->search) || (value > root.alpha && value < root.beta))
            return value;
        width *= 4;
        if (value <= root.alpha)
            root.alpha = width > 1000 ? -HOP_NONE : value - width;
        else
            root.beta = width > 1000 ? HOP_NONE : value + width;
    }
}

// The line as moves of the rules, up to the end of the game.
static void tell(const struct hop_task *task, const struct hop_line *line,
                 struct thought *thought) {
    struct hopchess state = task->state;
    thought->length = 0;
    for (int i = 0; i < line->length && state.ending == ENDING_RUNNING; i++) {
        const move m = field_move(&state, &line->leap[i]);
        thought->pv[thought->length++] = m;
        game_hopchess.apply(&state, m);
    }
}

// A game is won or lost for certain, or drawn; or all of it was searched. When that is within reach
// it is waited for, as a won game may turn out to be won by more.
static bool is_exact(const struct hop_thread *t, int value) {
    const bool drawn = value == 0 && t->search.guesses == 0;
    return t->search.whole || drawn || (hop_is_proven(value) && t->task->field.left > WHOLE);
}

static bool hop_search_depth(void *thread, int depth, struct thought *thought) {
    struct hop_thread *t = thread;
    struct hop_line line;
    t->search.whole = depth >= t->task->field.left;
    const int value = search_around(t, depth, &line);
    const bool stopped = hop_search_stopped(&t->search);
    thought->nodes = t->search.nodes;
    if (line.length > 0) {
        tell(t->task, &line, thought);
        thought->value = value;
        thought->depth = depth;
        thought->exact = !stopped && is_exact(t, value);
    }
    if (!stopped)
        t->value = value;
    return !stopped;
}

// The moves to choose from. A chain that takes c pieces needs 15 (c + 1) + c hops at most, as it
// visits 16 squares or fewer between two captures: from 6 on the rules have to count them.
static void list_leaps(struct hop_task *task, const struct limits *limits, move only) {
    int kept = 0;
    task->leaps = mem_new(LEAPS_ROOM, sizeof *task->leaps);
    task->count = leaps_list(&task->field, task->state.max_hops, false, task->leaps, LEAPS_ROOM);
    for (int i = 0; i < task->count; i++) {
        const move m = field_move(&task->state, &task->leaps[i]);
        const int taken = bits_count(task->field.other) - bits_count(task->leaps[i].other);
        if ((only == MOVE_PASS || m == only) && !limits_except(limits, m, MOVE_PASS) &&
            (taken < COUNTED || !game_hopchess.illegal(&task->state, m)))
            task->leaps[kept++] = task->leaps[i];
    }
    task->count = kept;
}

static void think_all(struct hop_mind *mind, const struct hop_task *task,
                      const struct limits *limits, struct thought *thought) {
    struct stop stop;
    stop_init(&stop, limits);
    for (int i = 0; i < mind->thread_count; i++) {
        struct hop_thread *t = &mind->threads[i];
        hop_search_begin(&t->search, &stop, task->state.max_hops);
        t->task = task;
        t->value = 0;
        t->leaps = mem_new((size_t)task->count, sizeof *t->leaps);
        memcpy(t->leaps, task->leaps, (size_t)task->count * sizeof *t->leaps);
    }
    deepen(&(struct deepening){.first = 1,
                               .last = HOP_DEPTH_MAX,
                               .search = hop_search_depth,
                               .threads = mind->threads,
                               .thread_bytes = sizeof *mind->threads,
                               .thread_count = mind->thread_count,
                               .stop = &stop},
           thought);
    for (int i = 0; i < mind->thread_count; i++)
        free(mind->threads[i].leaps);
}

void hop_mind_think(void *m, const void *state, const struct limits *limits, move only,
                    struct thought *thought) {
    struct hop_mind *mind = m;
    struct hop_task task = {.state = *(const struct hopchess *)state,
                            .field = field_of_state(state)};
    struct limits within = *limits;
    list_leaps(&task, limits, only);
    assert(task.count > 0);
    if (task.count == 1 && only == MOVE_PASS && !limits->curious)
        within.time_us = (within.time_us + HURRY - 1) / HURRY;
    tt_begin(mind->tt, limits->nodes,
             (uint64_t)limits->time_us * KEPT_US * (uint64_t)mind->thread_count);
    think_all(mind, &task, &within, thought);
    free(task.leaps);
}

struct hop_mind *hop_mind_new(const struct hopnet *net, unsigned without, int threads,
                              size_t memory) {
    struct hop_mind *mind = mem_new(1, sizeof *mind);
    mind->tt = tt_new(memory);
    mind->thread_count = threads;
    mind->threads = mem_new((size_t)threads, sizeof *mind->threads);
    for (int i = 0; i < threads; i++)
        hop_search_init(&mind->threads[i].search, net, mind->tt, without);
    return mind;
}

void hop_mind_free(void *m) {
    struct hop_mind *mind = m;
    for (int i = 0; i < mind->thread_count; i++)
        hop_search_done(&mind->threads[i].search);
    free(mind->threads);
    tt_free(mind->tt);
    free(mind);
}

static void *hop_new(const struct ruleset *rules, int threads) {
    (void)rules;
    return hop_mind_new(hopnet_find(), 0, threads, TT_BYTES);
}

const struct engine engine_hopchess = {
    .game = "hopchess",
    .unit = "pieces",
    .counted = {"piece", "pieces", 1},
    .new = hop_new,
    .free = hop_mind_free,
    .think = hop_mind_think,
    .tell = hop_score,
    .explain = hop_explain,
    .facts = hop_facts,
};
