// SPDX-License-Identifier: MIT
// The engine for connect6: first the solver, then the search. A thought answers for a whole turn.
#include "engine/connect6/search.h"

#include "base/mem.h"
#include "engine/connect6/decide.h"
#include "engine/registry.h"
#include "engine/share.h"

#include <stdlib.h>
#include <string.h>

enum { TT_BYTES = 256 << 20 };

struct mind6 {
    struct ruleset rules;
    const struct net6 *net;
    struct tt *tt;
    struct stop stop;
    struct searcher *threads[THREADS_MAX];
    int thread_count;
};

void *connect6_mind(const struct ruleset *rules, int threads, size_t tt_bytes,
                    const struct net6 *net, unsigned without) {
    struct mind6 *mind = mem_new(1, sizeof *mind);
    const bool exact = strcmp(engine_rule(rules, "overline"), "win") != 0;
    mind->rules = *rules;
    mind->net = net;
    mind->tt = tt_new(tt_bytes);
    mind->thread_count = threads;
    for (int i = 0; i < mind->thread_count; i++) {
        struct searcher *s = mind->threads[i] = searcher_new(mind->tt, &mind->stop);
        board_init(&s->board, rules, &lines_carried[exact]);
        s->without = without;
        s->leads = i == 0;
    }
    return mind;
}

static void *connect6_new(const struct ruleset *rules, int threads) {
    return connect6_mind(rules, threads, TT_BYTES, &net6_carried, 0);
}

static void connect6_free(void *m) {
    struct mind6 *mind = m;
    for (int i = 0; i < mind->thread_count; i++)
        searcher_free(mind->threads[i]);
    tt_free(mind->tt);
    free(mind);
}

static void prepare(struct mind6 *mind, const void *state, const struct limits *limits, move only) {
    stop_init(&mind->stop, limits);
    tt_begin(mind->tt, limits->nodes, (uint64_t)limits->time_us); // a node takes longer
    for (int i = 0; i < mind->thread_count; i++) {
        struct searcher *s = mind->threads[i];
        board_read(&s->board, &mind->rules, state);
        net6_view_init(&s->view, mind->net, &s->board);
        s->nodes = 0;
        s->only = only == MOVE_PASS ? NO_CELL : (int)only;
        s->limits = *limits;
        if (limits->nodes)
            solver_forget(s->solver);
    }
}

// There is but one way to stop the threats of the other.
static bool is_forced(const struct board6 *b) {
    struct covers covers;
    const int due = board_due(b);
    covers_find(b, board_turn(b), due, &covers);
    const struct stone_cover *c = covers.list;
    return covers.stones == due &&
           (covers.count == 1 || (covers.count == 2 && c[0].a == c[1].b && c[0].b == c[1].a));
}

static void connect6_think(void *m, const void *state, const struct limits *limits, move only,
                           struct thought *thought) {
    struct mind6 *mind = m;
    struct searcher *first = mind->threads[0];
    struct deepening deepening = {.first = 1,
                                  .last = DEPTH_LAST,
                                  .search = decide_search,
                                  .threads = mind->threads,
                                  .thread_bytes = sizeof *mind->threads,
                                  .thread_count = mind->thread_count,
                                  .stop = &mind->stop};
    prepare(mind, state, limits, only);
    decide_guess(first, thought);
    // What the solver finds for the position may be what is not to be considered.
    if (searcher_can(first, SEARCH_ROOT) && !limits->except_count &&
        decide_root(first, limits, thought))
        return;
    if (only == MOVE_PASS && !limits->curious && is_forced(&first->board))
        deepening.last = 1;
    deepen(&deepening, thought);
    if (!thought->exact)
        thought->value = value_believed(thought->value);
}

// A threat whose stones hold those of another is no other.
static bool is_listed(move (*list)[2], int count, const struct threat *t) {
    for (int i = 0; i < count; i++)
        if ((list[i][0] == (move)t->a || list[i][0] == (move)t->b) &&
            (list[i][1] == MOVE_PASS || list[i][1] == (move)t->a || list[i][1] == (move)t->b))
            return true;
    return false;
}

// Those that one stone fills come first. Who is in the middle of his turn has one stone only.
static int connect6_threats(void *m, const void *state, int player, move (*list)[2]) {
    struct mind6 *mind = m;
    struct board6 *b = &mind->threads[0]->board;
    struct threats found;
    int count = 0;
    board_read(b, &mind->rules, state);
    threats_find(b, player - 1, &found);
    const int stones = board_turn(b) == player - 1 ? board_due(b) : 2;
    for (int k = 1; k <= stones; k++)
        for (int i = 0; i < found.count; i++) {
            const struct threat *t = &found.list[i];
            if ((t->b == NO_CELL ? 1 : 2) != k || is_listed(list, count, t))
                continue;
            list[count][0] = (move)t->a;
            list[count++][1] = t->b == NO_CELL ? MOVE_PASS : (move)t->b;
        }
    return count;
}

const struct engine engine_connect6 = {
    .game = "connect6",
    .unit = "hundredths of a stone",
    .counted = {"stone", "stones", 100},
    .win = VALUE_WIN,
    .thinks_turns = true,
    .new = connect6_new,
    .free = connect6_free,
    .think = connect6_think,
    .threats = connect6_threats,
};
