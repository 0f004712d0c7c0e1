// SPDX-License-Identifier: MIT
// The Cup-Tac-Toe player: looks the position up if the solved game is at hand, else searches. A
// limit of nodes always means the search, so that what it finds depends on nothing but the program.
#include "base/mem.h"
#include "engine/cuptactoe/prospect.h"
#include "engine/cuptactoe/solved.h"
#include "engine/deepen.h"
#include "engine/registry.h"
#include "games/registry.h"

#include <stdlib.h>

enum {
    TT_BYTES = 64 << 20,
    // A line that ends by the limit of turns is told so far.
    LIMIT_LINE = 8,
};

struct cup_thread {
    struct prospect prospect;
    struct prover prover;
};

struct cup_mind {
    struct atlas *atlas;
    struct threes threes;
    struct solved solved;
    struct tt *tt;
    struct cup_thread *threads;
    int thread_count;
};

// A file of zeros fits together everywhere; but the first player wins.
static bool is_believable(const struct cup_mind *mind, const struct ruleset *rules) {
    struct prospect prospect;
    struct cups first;
    char why[WHY_TEXT_MAX];
    game_cuptactoe.start(&first, rules, NULL, why);
    prospect_init(&prospect, &first, MOVE_PASS, &mind->threes);
    prospect_look_up(&prospect, mind->atlas, mind->solved.values, 0);
    return prospect.value > 0;
}

static void *cup_new(const struct ruleset *rules, int threads) {
    struct cup_mind *mind = mem_new(1, sizeof *mind);
    struct ruleset usual;
    struct err no_table = {.set = false};
    char path[SOLVED_PATH_MAX];
    mind->atlas = atlas_new();
    threes_init(&mind->threes);
    mind->thread_count = threads;
    mind->threads = mem_new((size_t)mind->thread_count, sizeof *mind->threads);
    mind->tt = tt_new(TT_BYTES);
    ruleset_init(&usual, rules->game);
    if (solved_path(path) && solved_open(&mind->solved, path, &no_table) &&
        !is_believable(mind, &usual))
        solved_close(&mind->solved); // without it the search does as well
    return mind;
}

static void cup_free(void *argument) {
    struct cup_mind *mind = argument;
    solved_close(&mind->solved);
    tt_free(mind->tt);
    free(mind->threads);
    free(mind->atlas);
    free(mind);
}

static void report(const struct prospect *prospect, struct thought *thought) {
    thought->pv[0] = prospect->steps[prospect->best].move;
    thought->length = 1;
    thought->value = prospect->value;
    thought->exact = prospect->exact;
}

static bool cup_search(void *argument, int depth, struct thought *thought) {
    struct cup_thread *thread = argument;
    struct stop *stop = thread->prover.stop;
    if (depth == 1)
        thread->prover.stop = NULL;
    const bool complete = prospect_deepen(&thread->prospect, &thread->prover, depth);
    thread->prover.stop = stop;
    report(&thread->prospect, thought);
    thought->nodes = thread->prover.nodes;
    const int left = thread->prospect.left;
    if (complete)
        thought->depth = 2 * depth < left ? 2 * depth : left;
    return complete;
}

static void search_all(struct cup_mind *mind, const struct cups *state, const struct limits *limits,
                       move only, struct stop *stop, struct thought *thought) {
    for (int i = 0; i < mind->thread_count; i++) {
        struct cup_thread *t = &mind->threads[i];
        t->prover = (struct prover){
            .atlas = mind->atlas, .threes = &mind->threes, .tt = mind->tt, .stop = stop};
        prospect_init(&t->prospect, state, only, &mind->threes);
        prospect_leave_out(&t->prospect, limits);
        prospect_sort(&t->prospect, &t->prover);
    }
    deepen(&(struct deepening){.first = 1,
                               .last = prospect_last_depth(&mind->threads[0].prospect),
                               .search = cup_search,
                               .threads = mind->threads,
                               .thread_bytes = sizeof *mind->threads,
                               .thread_count = mind->thread_count,
                               .stop = stop},
           thought);
}

// Finds a move of a position whose value is known.
static bool find_next(struct cup_mind *mind, const struct cups *state, bool in_table, int value,
                      bool by_limit, move *found) {
    struct prospect prospect;
    prospect_init(&prospect, state, MOVE_PASS, &mind->threes);
    if (in_table)
        prospect_look_up(&prospect, mind->atlas, mind->solved.values, value);
    else if (!prospect_follow(&prospect, &mind->threads[0].prover, value, by_limit))
        return false;
    *found = prospect.steps[prospect.best].move;
    return true;
}

// What is expected to follow the first move.
static void extend_line(struct cup_mind *mind, const struct cups *state, bool in_table,
                        bool by_limit, struct thought *thought) {
    const int length_max = by_limit ? LIMIT_LINE : PV_MAX;
    struct cups now = *state;
    int value = thought->value;
    while (thought->length < length_max) {
        game_cuptactoe.apply(&now, thought->pv[thought->length - 1]);
        value = value > 0 ? 1 - value : -1 - value;
        if (now.ending != ENDING_RUNNING ||
            !find_next(mind, &now, in_table, value, by_limit, &thought->pv[thought->length]))
            return;
        thought->length++;
    }
}

static void think_in_table(struct cup_mind *mind, const struct cups *state,
                           const struct limits *limits, move only, struct thought *thought) {
    struct prospect prospect;
    prospect_init(&prospect, state, only, &mind->threes);
    prospect_leave_out(&prospect, limits);
    prospect_look_up(&prospect, mind->atlas, mind->solved.values, 0);
    report(&prospect, thought);
    thought->depth = abs(prospect.value);
    thought->nodes = (uint64_t)prospect.count;
    extend_line(mind, state, true, prospect.value == prospect.limit, thought);
}

static void think_by_search(struct cup_mind *mind, const struct cups *state,
                            const struct limits *limits, move only, struct thought *thought) {
    const struct cup_thread *first = mind->threads;
    struct stop stop;
    stop_init(&stop, limits);
    tt_begin(mind->tt, limits->nodes, (uint64_t)limits->time_us); // a node takes longer
    search_all(mind, state, limits, only, &stop, thought);
    atomic_store(&stop.now, false); // for what is left of the time
    thought->nodes -= first->prover.nodes;
    if (thought->exact)
        extend_line(mind, state, false, first->prospect.by_limit, thought);
    thought->nodes += first->prover.nodes;
}

static void cup_think(void *argument, const void *state, const struct limits *limits, move only,
                      struct thought *thought) {
    struct cup_mind *mind = argument;
    if (mind->solved.values && !limits->nodes &&
        prospect_fits(state, &mind->threes, mind->atlas, mind->solved.values))
        think_in_table(mind, state, limits, only, thought);
    else
        think_by_search(mind, state, limits, only, thought);
}

const struct engine engine_cuptactoe = {
    .game = "cuptactoe",
    .unit = "plies to the end",
    .counted = {"ply", "plies", 1},
    .counts_plies = true,
    .new = cup_new,
    .free = cup_free,
    .think = cup_think,
};
