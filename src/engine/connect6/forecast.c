// SPDX-License-Identifier: MIT
// The solver says that a turn wins, not what comes of it. The line is found by asking again: the
// winning turn is laid, every cover of the defender is tried, and the one is laid against which the
// solver's win takes the most turns; then that win's turn, and so on. It ends with the six, where
// the line is full, or where the solver does not find the win again. The stones of the line lie on
// the board all the while, and how many lie there tells whose they are.
#include "engine/connect6/forecast.h"

#include <assert.h>

void forecast_lift(struct board6 *b, const struct thought *t, int length) {
    assert(length >= 0 && length <= t->length);
    for (int i = t->length; i > length; i--)
        board_undo(b, (int)t->pv[i - 1], b->placed / 2 % 2);
}

void forecast_add(struct board6 *b, struct thought *t, int first, int second) {
    const int player = board_turn(b), cells[2] = {first, second};
    for (int i = 0; i < 2 && cells[i] != NO_CELL && t->length < PV_MAX; i++) {
        t->pv[t->length++] = (move)cells[i];
        board_place(b, cells[i], player);
    }
}

// The most urgent place for a stone that is free to go anywhere else.
static int free_cell(const struct board6 *b, int player, int other) {
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
static bool beats(struct searcher *s, const struct quest *quest, struct stone_cover c,
                  struct thought *t, struct forced *forced) {
    const int player = board_turn(&s->board), length = t->length;
    forecast_add(&s->board, t, c.a, NO_CELL);
    const bool legal = c.b != NO_CELL && !board_forbidden(&s->board, player, c.b);
    if (legal)
        forecast_add(&s->board, t, c.b, NO_CELL);
    const bool won = legal && solver_win(s->solver, quest, forced);
    forecast_lift(&s->board, t, length);
    t->length = length;
    return won;
}

// Plays the stones that hold out the longest; gives what wins against them. False if there are
// none.
static bool add_defence(struct searcher *s, const struct quest *quest, struct thought *t,
                        struct forced *forced) {
    struct board6 *b = &s->board;
    struct covers covers;
    const int player = board_turn(b);
    struct stone_cover best = {NO_CELL, NO_CELL};
    covers_find(b, player, 2, &covers);
    forced->turns = 0;
    for (int i = 0; i < covers.count; i++) {
        struct stone_cover c = covers.list[i];
        struct forced next;
        if (c.b == NO_CELL)
            c.b = (int16_t)free_cell(b, player, c.a);
        if (beats(s, quest, c, t, &next) && next.turns > forced->turns) {
            *forced = next;
            best = c;
        }
    }
    forecast_add(b, t, best.a, best.b);
    return best.a != NO_CELL;
}

static int stopped_by(const struct threats *threats, int cell) {
    int count = 0;
    for (int i = 0; i < threats->count; i++)
        count += threats->list[i].a == cell || threats->list[i].b == cell;
    return count;
}

// Plays the cell where a stone of the player to move stops most of the threats.
static void add_stop(struct board6 *b, struct thought *t, const struct threats *threats) {
    int16_t cells[BOARD_CELLS];
    const int player = board_turn(b), n = cells_list(&b->empties, cells);
    int best = NO_CELL;
    for (int i = 0; i < n; i++)
        if (!board_forbidden(b, player, cells[i]) &&
            (best == NO_CELL || stopped_by(threats, cells[i]) > stopped_by(threats, best)))
            best = cells[i];
    forecast_add(b, t, best, NO_CELL);
}

void forecast_end(struct board6 *b, struct thought *t) {
    const int due = board_due(b), attacker = 1 - board_turn(b);
    struct threats threats;
    struct covers covers;
    covers_find(b, 1 - attacker, due, &covers);
    if (covers.stones <= due || t->length + 4 > PV_MAX)
        return;
    for (int i = 0; i < due && board_turn(b) != attacker; i++) {
        threats_find(b, attacker, &threats);
        add_stop(b, t, &threats);
    }
    threats_find(b, attacker, &threats);
    if (threats.count && board_turn(b) == attacker)
        forecast_add(b, t, threats.list[0].a, threats.list[0].b);
}

void forecast_win(struct searcher *s, struct quest quest, struct forced forced, struct thought *t) {
    quest.stones = 2;
    quest.extra = 0;
    do
        forecast_add(&s->board, t, forced.a, forced.b);
    while (forced.turns > 1 && t->length + 4 <= PV_MAX && add_defence(s, &quest, t, &forced));
    if (forced.turns != 1)
        forecast_end(&s->board, t);
}
