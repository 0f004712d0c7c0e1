// SPDX-License-Identifier: MIT
// The engine for connect6: first the solver, then the search. A thought answers for a whole turn.
#include "engine/connect6/mind.h"

#include "base/mem.h"
#include "engine/registry.h"

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

void *connect6_mind(const struct ruleset *rules, int threads, size_t memo_bytes, unsigned without) {
    struct mind *mind = mem_new(1, sizeof *mind);
    mind->rules = *rules;
    lines_init(&mind->lines, is_exact(rules));
    mind->memo = memo_new(memo_bytes);
    mind->thread_count = threads < THREADS_MAX ? threads : THREADS_MAX;
    for (int i = 0; i < mind->thread_count; i++) {
        struct searcher *s = mind->threads[i] = searcher_new(mind->memo, &mind->stop);
        board_init(&s->board, rules, &mind->lines, &connect6_weights);
        s->without = without;
    }
    return mind;
}

static void *new (const struct ruleset *rules, int threads, struct err *err) {
    (void)err;
    return connect6_mind(rules, threads, MEMO_BYTES, SEARCH_UNUSED);
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
    memo_begin(mind->memo, limits->nodes, (uint64_t)limits->time_us); // a node takes longer
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

// Adds a turn of either player to the expected line, and plays it.
static void add_turn(struct board *b, struct thought *t, int a, int second) {
    const int player = board_turn(b), cells[2] = {a, second};
    for (int i = 0; i < 2 && cells[i] != NO_CELL && t->length < PV_MAX; i++) {
        t->pv[t->length++] = (move)cells[i];
        board_place(b, cells[i], player);
    }
}

// What the defender may do that holds out the longest by the number of stones; false if nothing.
static bool add_defence(struct board *b, struct thought *t) {
    struct threats threats;
    struct covers covers;
    const int player = board_turn(b);
    threats_find(b, 1 - player, &threats);
    covers_find(b, player, &threats, 2, &covers);
    if (covers.count == 0)
        return false;
    const struct cover c = covers.list[0];
    int second = c.b;
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&b->empties, cells);
    for (int i = 0; c.b == NO_CELL && i < n; i++)
        if (cells[i] != c.a && !board_forbidden(b, player, cells[i]) &&
            (second == NO_CELL ||
             board_order(b, 1 - player, cells[i]) > board_order(b, 1 - player, second)))
            second = cells[i];
    add_turn(b, t, c.a, second);
    return true;
}

// Follows a win by force to its end, as far as the solver finds it again.
static void follow(struct searcher *s, struct quest quest, struct forced forced,
                   struct thought *t) {
    struct board *b = &s->board;
    t->length = 0;
    for (;;) {
        add_turn(b, t, forced.a, forced.b);
        if (forced.turns == 1 || t->length + 4 > PV_MAX || !add_defence(b, t))
            break;
        quest.stones = 2;
        if (!solver_win(s->solver, &quest, &forced))
            break;
    }
    for (int i = t->length - 1; i >= 0; i--)
        board_undo(b, (int)t->pv[i], (b->placed) / 2 % 2);
}

static bool solve(struct mind *mind, const struct limits *limits, struct thought *t) {
    struct searcher *s = mind->threads[0];
    struct forced forced;
    struct quest quest = {.attacker = board_turn(&s->board),
                          .stones = board_due(&s->board),
                          .depth = SOLVER_DEPTH_MAX,
                          .budget = solver_budget(limits)};
    bool won = solver_win(s->solver, &quest, &forced);
    if (!won && searcher_can(s, SEARCH_SINGLES)) {
        quest.singles = true;
        quest.depth = SINGLES_DEPTH;
        won = solver_win(s->solver, &quest, &forced);
    }
    t->nodes = s->nodes;
    if (!won)
        return false;
    follow(s, quest, forced, t);
    t->value = VALUE_WIN - (2 * forced.turns - 1);
    t->exact = true;
    t->depth = 4 * forced.turns - 2;
    return true;
}

// There is but one way to stop what the other threatens.
static bool is_forced(const struct board *b) {
    struct threats threats;
    struct covers covers;
    const int player = board_turn(b), due = board_due(b);
    threats_find(b, 1 - player, &threats);
    covers_find(b, player, &threats, due, &covers);
    const struct cover *c = covers.list;
    return covers.stones == due &&
           (covers.count == 1 || (covers.count == 2 && c[0].a == c[1].b && c[0].b == c[1].a));
}

static void think(void *m, const void *state, const struct limits *limits, move only,
                  struct thought *thought) {
    struct mind *mind = m;
    struct deepening deepening = {.first = 1,
                                  .last = DEPTH_LAST,
                                  .search = searcher_search,
                                  .threads = (void **)mind->threads,
                                  .thread_count = mind->thread_count,
                                  .stop = &mind->stop};
    prepare(mind, state, limits, only);
    guess(mind->threads[0], thought);
    if (only == MOVE_PASS && searcher_can(mind->threads[0], SEARCH_ROOT) &&
        solve(mind, limits, thought))
        return;
    if (only == MOVE_PASS && is_forced(&mind->threads[0]->board))
        deepening.last = 1;
    deepen(&deepening, thought);
    for (int i = 1; i < mind->thread_count; i++)
        thought->nodes += mind->threads[i]->nodes;
}

static int threats(void *m, const void *state, int player, move (*list)[2]) {
    struct mind *mind = m;
    struct board *b = &mind->threads[0]->board;
    struct threats found;
    board_read(b, &mind->rules, state);
    threats_find(b, player - 1, &found);
    for (int i = 0; i < found.count; i++) {
        list[i][0] = (move)found.list[i].a;
        list[i][1] = found.list[i].b == NO_CELL ? MOVE_PASS : (move)found.list[i].b;
    }
    return found.count;
}

const struct engine engine_connect6 = {
    .game = "connect6",
    .unit = "hundredths of a stone",
    .thinks_turns = true,
    .easy = {.nodes = 100, .random_percent = 50},
    .normal = {.nodes = 100, .random_percent = 28},
    .new = new,
    .free = mind_free,
    .think = think,
    .threats = threats,
};
