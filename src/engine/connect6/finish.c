// SPDX-License-Identifier: MIT
// What is left out cannot matter: other stones than those that stop threats, an overline where
// there is another stone, the second order of two stones, and the play where no six and no overline
// can be made any more. A node that leaves out the second order is not kept in the table, for
// others reach its position with more to try.
#include "engine/connect6/finish.h"

#include "engine/connect6/forecast.h"

#include <assert.h>

enum {
    ROOM = 8,         // cells at most where one stone makes the next of its player an overline
    KEPT_DEPTH = 255, // of entries in the table
};
static const uint64_t salt = UINT64_C(0x6a09e667f3bcc909); // apart from what a search keeps

struct finish {
    struct searcher *searcher;
    struct board6 *board;
    uint64_t end; // of the budget
    bool ended;
    int order[BOARD_CELLS]; // of cells to try, by what they make at the root
};

struct finish_node {
    int player, stones;        // who places, and how many in this turn still
    int turn;                  // 1 at the root
    const struct cells *tried; // not to be tried, or NULL
    int alpha, beta;           // where the value matters
};

// A line where seven may still lie side by side.
static bool may_overrun(const struct board6 *b, int player) {
    for (int line = 0; line < BOARD_LINES; line++) {
        const uint32_t free = ~b->stop[player][line], two = free & free >> 1, four = two & two >> 2;
        if (four & two >> 4 & free >> 6)
            return true;
    }
    return false;
}

static bool may_make_six(const struct board6 *b, int player) {
    for (int line = 0; line < BOARD_LINES; line++)
        if (lines_windows(b->lines->exact, b->mine[player][line], b->stop[player][line], 0))
            return true;
    return false;
}

static bool may_win(const struct board6 *b, int player) {
    return may_make_six(b, player) || (b->overline_loses && may_overrun(b, 1 - player));
}

static bool table_knows(const struct finish *f, const struct finish_node *p, int *lower, int *upper,
                        int *cell) {
    struct tt_entry e;
    if (!tt_get(f->searcher->tt, f->board->hash ^ salt, &e) || e.depth != KEPT_DEPTH)
        return false;
    *lower = value_later(e.lower, p->turn);
    *upper = value_later(e.upper, p->turn);
    *cell = e.move == UINT16_MAX ? NO_CELL : e.move;
    return true;
}

static void table_keep(const struct finish *f, const struct finish_node *p, int value, int cell) {
    const int v = value_later(value, -p->turn);
    tt_put(f->searcher->tt, f->board->hash ^ salt,
           (struct tt_entry){.lower = (int16_t)(value > p->alpha ? v : -2 * VALUE_WIN),
                             .upper = (int16_t)(value < p->beta ? v : 2 * VALUE_WIN),
                             .move = cell == NO_CELL ? UINT16_MAX : (uint16_t)cell,
                             .depth = KEPT_DEPTH});
}

static int value_at(struct finish *f, struct finish_node p);

static int value_after(struct finish *f, const struct finish_node *p, int cell,
                       const struct cells *tried) {
    struct searcher *s = f->searcher;
    int value;
    board_lay(f->board, cell, p->player);
    s->nodes++;
    if (stop_due(s->stop, s->nodes) || s->nodes >= f->end)
        f->ended = true;
    if (p->stones > 1 && f->board->left > 0)
        value = value_at(
            f, (struct finish_node){p->player, p->stones - 1, p->turn, tried, p->alpha, p->beta});
    else
        value = -value_at(
            f, (struct finish_node){1 - p->player, 2, p->turn + 1, NULL, -p->beta, -p->alpha});
    board_lift(f->board, cell, p->player);
    return value;
}

// Cells where a stone is no overline, the best first.
static void list_cells(const struct finish *f, int player, struct choices *list) {
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&f->board->empties, cells);
    list->count = 0;
    for (int i = 0; i < n; i++)
        if (!board_forbidden(f->board, player, cells[i]))
            choices_add(list, CHOICES_MAX, cells[i], f->order[cells[i]]);
}

static void list_covers(const struct finish *f, const struct covers *covers, struct choices *list) {
    list->count = 0;
    for (int i = 0; i < covers->count; i++)
        if (i == 0 || covers->list[i].a != covers->list[i - 1].a)
            choices_add(list, CHOICES_MAX, covers->list[i].a, f->order[covers->list[i].a]);
}

static int try_cells(struct finish *f, struct finish_node p, const struct choices *list,
                     bool forced, int *best_cell) {
    struct cells tried = {.word = {0}};
    int best = -VALUE_WIN;
    for (int i = 0; i < list->count && p.alpha < p.beta && !f->ended; i++) {
        const int cell = list->cell[i];
        if (p.tried && cells_has(p.tried, cell))
            continue;
        const int value = value_after(f, &p, cell, forced ? NULL : &tried);
        cells_add(&tried, cell);
        if (value > best) {
            best = value;
            *best_cell = cell;
        }
        p.alpha = value > p.alpha ? value : p.alpha;
    }
    return best;
}

static int value_of_cells(struct finish *f, const struct finish_node *p, int first) {
    struct covers covers;
    struct choices list;
    int cell = NO_CELL;
    list_cells(f, p->player, &list);
    if (list.count == 0) // all that is left is an overline
        return -value_of_win(p->turn);
    covers_find(f->board, p->player, p->stones, &covers);
    const bool roomy = list.count > p->stones + ROOM; // no overline ends it in this turn
    if (covers.stones > p->stones && roomy)
        return -value_of_win(p->turn + 1);
    const bool forced = covers.count > 0 && covers.stones <= p->stones && roomy;
    if (forced)
        list_covers(f, &covers, &list);
    choices_put_first(&list, first);
    struct finish_node all = *p;
    if (forced)
        all.tried = NULL;
    int value = try_cells(f, all, &list, forced, &cell);
    if (forced && value < -value_of_win(p->turn + 1))
        value = -value_of_win(p->turn + 1);
    if (!f->ended && !p->tried)
        table_keep(f, p, value, cell);
    return value;
}

// Values beyond what can still happen do not matter.
static void narrow(const struct board6 *b, struct finish_node *p) {
    if (p->beta > 0 && !may_win(b, p->player))
        p->beta = 0;
    if (p->alpha < 0 && !may_win(b, 1 - p->player))
        p->alpha = 0;
}

static int value_at(struct finish *f, struct finish_node p) {
    int lower, upper, first = NO_CELL;
    if (threats_six(f->board, p.player, p.stones).a != NO_CELL)
        return value_of_win(p.turn);
    if (f->board->left == 0 || f->ended)
        return 0;
    if (!p.tried) {
        narrow(f->board, &p);
        if (p.alpha >= p.beta)
            return p.alpha;
        if (table_knows(f, &p, &lower, &upper, &first)) {
            if (lower >= p.beta || lower == upper)
                return lower;
            if (upper <= p.alpha)
                return upper;
        }
    }
    return value_of_cells(f, &p, first);
}

static int value_within(struct finish *f, struct finish_node p, int alpha, int beta) {
    p.alpha = alpha;
    p.beta = beta;
    return value_at(f, p);
}

// Won, drawn or lost first, then in how many turns.
static int solve(struct finish *f, const struct finish_node *p) {
    const int value = value_within(f, *p, -1, 1);
    return value > 0   ? value_within(f, *p, 0, VALUE_WIN)
           : value < 0 ? value_within(f, *p, -VALUE_WIN, 0)
                       : 0;
}

// A stone that keeps the value.
static int best_cell(struct finish *f, struct finish_node *p, int value) {
    int16_t cells[BOARD_CELLS];
    struct choices list;
    const struct threat six = threats_six(f->board, p->player, p->stones);
    if (six.a != NO_CELL)
        return six.a;
    list_cells(f, p->player, &list);
    p->alpha = value - 1;
    p->beta = value;
    for (int i = 0; i < list.count && !f->ended; i++)
        if (value_after(f, p, list.cell[i], NULL) >= value)
            return list.cell[i];
    cells_list(&f->board->empties, cells);
    return cells[0];
}

// The best play to the end of the game.
static void add_line(struct finish *f, struct finish_node p, int value, struct thought *t) {
    for (bool over = false; !over && f->board->left > 0 && !f->ended;) {
        const int cell = best_cell(f, &p, value);
        const uint32_t shapes = board_shapes(f->board, p.player, cell);
        over = board_loses(f->board, p.player, cell) || shape_count(shapes, SHAPE_SIX);
        forecast_add(f->board, t, cell, NO_CELL);
        if (--p.stones > 0)
            continue;
        p = (struct finish_node){.player = 1 - p.player, .stones = 2, .turn = p.turn + 1};
        value = -value;
    }
}

bool finish_solve(struct searcher *s, int turn, uint64_t budget, struct thought *t) {
    struct finish f = {.searcher = s, .board = &s->board, .end = s->nodes + budget};
    const struct finish_node root = {
        .player = board_turn(f.board), .stones = board_due(f.board), .turn = turn};
    const int length = t->length;
    assert(f.board->left > 0 && f.board->left <= FINISH_CELLS);
    for (int i = 0; i < BOARD_CELLS; i++)
        f.order[i] = board_urgency(f.board, i);
    t->value = solve(&f, &root);
    f.end += budget;
    if (!f.ended)
        add_line(&f, root, t->value, t);
    t->depth = t->length - length;
    forecast_lift(f.board, t, length);
    if (f.ended)
        t->length = length;
    return !f.ended;
}
