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

// Takes the stones of the expected line back, those from an index on.
static void take_back(struct board *b, const struct thought *t, int from) {
    for (int i = t->length - 1; i >= from; i--)
        board_undo(b, (int)t->pv[i], b->placed / 2 % 2);
}

// Adds a turn of either player to the expected line, and plays it.
static void add_turn(struct board *b, struct thought *t, int a, int second) {
    const int player = board_turn(b), cells[2] = {a, second};
    for (int i = 0; i < 2 && cells[i] != NO_CELL && t->length < PV_MAX; i++) {
        t->pv[t->length++] = (move)cells[i];
        board_place(b, cells[i], player);
    }
}

// The most urgent place for a stone that is free to go anywhere else.
static int free_cell(const struct board *b, int player, int other) {
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&b->empties, cells);
    int best = NO_CELL;
    for (int i = 0; i < n; i++)
        if (cells[i] != other && !board_forbidden(b, player, cells[i]) &&
            (best == NO_CELL ||
             board_order(b, 1 - player, cells[i]) > board_order(b, 1 - player, best)))
            best = cells[i];
    return best;
}

// What wins against this defence; false if nothing is found, or it makes an overline.
static bool beats(struct searcher *s, const struct quest *quest, struct cover c, struct thought *t,
                  struct forced *forced) {
    const int player = board_turn(&s->board), length = t->length;
    add_turn(&s->board, t, c.a, NO_CELL);
    const bool legal = c.b != NO_CELL && !board_forbidden(&s->board, player, c.b);
    if (legal)
        add_turn(&s->board, t, c.b, NO_CELL);
    const bool won = legal && solver_win(s->solver, quest, forced);
    take_back(&s->board, t, length);
    t->length = length;
    return won;
}

// Plays the stones that hold out the longest; gives what wins against them. False if there are
// none.
static bool add_defence(struct searcher *s, const struct quest *quest, struct thought *t,
                        struct forced *forced) {
    struct board *b = &s->board;
    struct threats threats;
    struct covers covers;
    const int player = board_turn(b);
    struct cover best = {NO_CELL, NO_CELL};
    threats_find(b, 1 - player, &threats);
    covers_find(b, player, &threats, 2, &covers);
    forced->turns = 0;
    for (int i = 0; i < covers.count; i++) {
        struct cover c = covers.list[i];
        struct forced next;
        if (c.b == NO_CELL)
            c.b = (int16_t)free_cell(b, player, c.a);
        if (beats(s, quest, c, t, &next) && next.turns > forced->turns) {
            *forced = next;
            best = c;
        }
    }
    add_turn(b, t, best.a, best.b);
    return best.a != NO_CELL;
}

static int stopped_by(const struct threats *threats, int cell) {
    int count = 0;
    for (int i = 0; i < threats->count; i++)
        count += threats->list[i].a == cell || threats->list[i].b == cell;
    return count;
}

// Plays the cell where a stone of the player to move stops most of the threats.
static void add_stop(struct board *b, struct thought *t, const struct threats *threats) {
    int16_t cells[BOARD_CELLS];
    const int player = board_turn(b), n = cells_list(&b->empties, cells);
    int best = NO_CELL;
    for (int i = 0; i < n; i++)
        if (!board_forbidden(b, player, cells[i]) &&
            (best == NO_CELL || stopped_by(threats, cells[i]) > stopped_by(threats, best)))
            best = cells[i];
    add_turn(b, t, best, NO_CELL);
}

// If the threats cannot be stopped: the stones of the defender, and then six.
static void add_end(struct board *b, struct thought *t) {
    const int attacker = 1 - board_turn(b);
    struct threats threats;
    struct covers covers;
    threats_find(b, attacker, &threats);
    covers_find(b, 1 - attacker, &threats, 2, &covers);
    if (covers.stones < 3 || t->length + 4 > PV_MAX)
        return;
    for (int i = 0; i < 2; i++) {
        threats_find(b, attacker, &threats);
        add_stop(b, t, &threats);
    }
    threats_find(b, attacker, &threats);
    if (threats.count)
        add_turn(b, t, threats.list[0].a, threats.list[0].b);
}

// Follows a win by force to its end, as far as the solver finds it again.
static void follow(struct searcher *s, struct quest quest, struct forced forced,
                   struct thought *t) {
    t->length = 0;
    quest.stones = 2;
    do
        add_turn(&s->board, t, forced.a, forced.b);
    while (forced.turns > 1 && t->length + 4 <= PV_MAX && add_defence(s, &quest, t, &forced));
    if (forced.turns != 1)
        add_end(&s->board, t);
    take_back(&s->board, t, 0);
}

static bool solve_in_time(struct mind *mind, const struct limits *limits, struct thought *t) {
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

// The budget is a guess at the speed of the machine: what is left for the search is its time.
static bool solve(struct mind *mind, const struct limits *limits, struct thought *t) {
    const int64_t at_us = stop_share(&mind->stop, SOLVER_SHARE / 2);
    const bool won = solve_in_time(mind, limits, t);
    stop_resume(&mind->stop, at_us);
    return won;
}

// What stops the threats of the other at the root.
static void find_covers(const struct board *b, struct covers *covers) {
    struct threats threats;
    const int player = board_turn(b);
    threats_find(b, 1 - player, &threats);
    covers_find(b, player, &threats, board_due(b), covers);
}

// There is but one way to stop them.
static bool is_forced(const struct covers *covers, int due) {
    const struct cover *c = covers->list;
    return covers->stones == due &&
           (covers->count == 1 || (covers->count == 2 && c[0].a == c[1].b && c[0].b == c[1].a));
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
    struct covers covers;
    const int due = board_due(&mind->threads[0]->board);
    find_covers(&mind->threads[0]->board, &covers);
    const bool lost = covers.stones > due;
    if (only == MOVE_PASS && (lost || is_forced(&covers, due)))
        deepening.last = 1;
    deepen(&deepening, thought);
    thought->exact = lost && thought->value < 0;
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
    .win = VALUE_WIN,
    .thinks_turns = true,
    .easy = {.nodes = 100, .random_percent = 50},
    .normal = {.nodes = 100, .random_percent = 28},
    .new = new,
    .free = mind_free,
    .think = think,
    .threats = threats,
};
