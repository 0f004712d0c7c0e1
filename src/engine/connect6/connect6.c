// SPDX-License-Identifier: MIT
// The engine for connect6: first the solver, then the search. A thought answers for a whole turn.
#include "engine/connect6/search.h"

#include "base/mem.h"
#include "engine/connect6/connect6.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEMO_BYTES = 256 << 20,
    THREADS_MAX = 64,
    SOLVER_SHARE = 8,           // of the nodes, for each kind of threats
    PLACED_IN_8_US = 10,        // stones; to make a budget of a time
    SOLVER_UNLIMITED = 4000000, // stones placed when nothing limits
    SINGLES_DEPTH = 6,
};

struct mind {
    struct ruleset rules;
    struct lines lines;
    struct memo *memo;
    struct stop stop;
    struct searcher *threads[THREADS_MAX];
    int thread_count;
};

static bool is_exact(const struct ruleset *rules) {
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, "overline") == 0)
            return strcmp(rules->text[i], "win") != 0;
    return true;
}

static void *new (const struct ruleset *rules, int threads, struct err *err) {
    struct mind *mind = mem_new(1, sizeof *mind);
    (void)err;
    mind->rules = *rules;
    lines_init(&mind->lines, is_exact(rules));
    mind->memo = memo_new(MEMO_BYTES);
    mind->thread_count = threads < THREADS_MAX ? threads : THREADS_MAX;
    for (int i = 0; i < mind->thread_count; i++) {
        struct searcher *s = mind->threads[i] = searcher_new(mind->memo, &mind->stop);
        board_init(&s->board, rules, &mind->lines, &connect6_weights);
    }
    return mind;
}

static void mind_free(void *m) {
    struct mind *mind = m;
    for (int i = 0; i < mind->thread_count; i++)
        searcher_free(mind->threads[i]);
    memo_free(mind->memo);
    free(mind);
}

static void prepare(struct mind *mind, const void *state, const struct limits *limits, move only) {
    stop_init(&mind->stop, limits);
    if (limits->nodes)
        memo_clear(mind->memo, limits->nodes);
    else
        memo_age(mind->memo);
    for (int i = 0; i < mind->thread_count; i++) {
        struct searcher *s = mind->threads[i];
        board_read(&s->board, &mind->rules, state);
        memset(s->history, 0, sizeof s->history);
        s->nodes = 0;
        s->only = only == MOVE_PASS ? NO_CELL : (int)only;
        if (limits->nodes)
            solver_forget(s->solver);
    }
}

static uint64_t solver_budget(const struct limits *limits) {
    if (limits->nodes)
        return limits->nodes / SOLVER_SHARE;
    if (limits->time_us)
        return (uint64_t)limits->time_us * PLACED_IN_8_US / 8 / SOLVER_SHARE;
    return SOLVER_UNLIMITED;
}

// The answer when there is no time for another: what looks most urgent.
static void guess(struct searcher *s, struct thought *t) {
    struct board *b = &s->board;
    const int player = board_turn(b), due = board_due(b);
    int16_t cells[BOARD_CELLS];
    int placed = 0;
    for (; placed < due && b->left; placed++) {
        const int n = cells_list(&b->empties, cells);
        int best = cells[0], most = -1;
        for (int i = 0; i < n; i++) {
            const int order =
                board_order(b, player, cells[i]) + board_order(b, 1 - player, cells[i]);
            if (order > most && !board_forbidden(b, player, cells[i])) {
                most = order;
                best = cells[i];
            }
        }
        if (placed == 0 && s->only != NO_CELL)
            best = s->only;
        t->pv[placed] = (move)best;
        board_place(b, best, player);
    }
    t->length = placed;
    t->depth = 1;
    while (placed-- > 0)
        board_undo(b, (int)t->pv[placed], player);
}

static bool solve(struct mind *mind, const struct limits *limits, struct thought *t) {
    struct searcher *s = mind->threads[0];
    struct forced forced;
    struct quest quest = {.attacker = board_turn(&s->board),
                          .stones = board_due(&s->board),
                          .depth = SOLVER_DEPTH_MAX,
                          .budget = solver_budget(limits)};
    bool won = solver_win(s->solver, &quest, &forced);
    quest.singles = true;
    quest.depth = SINGLES_DEPTH;
    won = won || solver_win(s->solver, &quest, &forced);
    t->nodes = s->nodes;
    if (!won)
        return false;
    t->pv[0] = (move)forced.a;
    t->pv[1] = (move)forced.b;
    t->length = forced.b == NO_CELL ? 1 : 2;
    t->value = VALUE_WIN - (2 * forced.turns - 1);
    t->exact = true;
    t->depth = 4 * forced.turns - 2;
    return true;
}

static void think(void *m, const void *state, const struct limits *limits, move only,
                  struct thought *thought) {
    struct mind *mind = m;
    const struct deepening deepening = {.first = 1,
                                        .last = DEPTH_LAST,
                                        .search = searcher_search,
                                        .threads = (void **)mind->threads,
                                        .thread_count = mind->thread_count,
                                        .stop = &mind->stop};
    prepare(mind, state, limits, only);
    guess(mind->threads[0], thought);
    if (only == MOVE_PASS && solve(mind, limits, thought))
        return;
    deepen(&deepening, thought);
    for (int i = 1; i < mind->thread_count; i++)
        thought->nodes += mind->threads[i]->nodes;
}

const struct engine engine_connect6 = {
    .game = "connect6",
    .unit = "hundredths of a stone",
    .thinks_turns = true,
    .easy = {.nodes = 300, .random_percent = 10},
    .normal = {.nodes = 3000},
    .new = new,
    .free = mind_free,
    .think = think,
};
