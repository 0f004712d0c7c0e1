// SPDX-License-Identifier: MIT
// A search tries candidates alone, so the end that it sees may not be forced. What the solver adds
// is sure: it finds wins of the player to move, or refutes all that he can do; after the best turn
// it refutes all that the other can do. If one stone alone is to be considered, it lies on the
// board before all that, and the turn has one stone less.
#include "engine/connect6/decide.h"

#include "engine/connect6/finish.h"
#include "engine/connect6/forecast.h"
#include "engine/connect6/loss.h"

#include <stdlib.h>

enum {
    SOLVER_SHARE = 8,           // of the nodes, for wins where every turn must be answered whole
    SINGLES_SHARE = 4,          // of those, for wins that leave the defender free stones
    FINISH_SHARE = 4,           // of the nodes, to play out the last cells
    PROOF_SHARE = 4,            // of the nodes searched so far, for the proof of what was found
    PROOF_LEAST = 2000,         // stones, whatever was searched
    PLACED_IN_8_US = 10,        // stones; to make a budget of a time
    SOLVER_UNLIMITED = 4000000, // stones placed when nothing limits
};

// What a win in so many turns of the player to move is worth to him, or a loss in so many of the
// other's.
static int value_won(int turns) { return VALUE_WIN - (2 * turns - 1); }
static int value_lost(int turns) { return 2 * turns - VALUE_WIN; }

static int urgent_cell(const struct board6 *b, int player) {
    int16_t cells[BOARD_CELLS];
    const int n = cells_list(&b->empties, cells);
    int best = cells[0], most = -1;
    for (int i = 0; i < n; i++) {
        const int order = board_urgency(b, cells[i]);
        if (order > most && !board_forbidden(b, player, cells[i])) {
            most = order;
            best = cells[i];
        }
    }
    return best;
}

void decide_guess(struct searcher *s, struct thought *t) {
    struct board6 *b = &s->board;
    const int player = board_turn(b);
    t->length = 0;
    t->depth = 1;
    if (s->only != NO_CELL)
        forecast_add(b, t, s->only, NO_CELL);
    while (board_turn(b) == player && b->left)
        forecast_add(b, t, urgent_cell(b, player), NO_CELL);
    forecast_lift(b, t, 0);
}

static uint64_t budget_of(const struct limits *limits, int share) {
    if (limits->nodes)
        return limits->nodes / (uint64_t)share;
    if (limits->time_us)
        return (uint64_t)limits->time_us * PLACED_IN_8_US / 8 / (uint64_t)share;
    return SOLVER_UNLIMITED;
}

// The player has so many stones left in his turn. A win by force, and how it goes on.
static bool find_win(struct searcher *s, int player, int stones, uint64_t budget,
                     struct thought *t) {
    struct forced forced;
    struct quest quest = {
        .attacker = player, .stones = stones, .depth = SOLVER_DEPTH_MAX, .budget = budget};
    bool won = solver_win(s->solver, &quest, &forced);
    if (!won && searcher_can(s, SEARCH_SINGLES)) {
        quest.singles = true;
        quest.budget = budget / SINGLES_SHARE;
        won = solver_win(s->solver, &quest, &forced);
    }
    if (!won)
        return false;
    forecast_win(s, quest, forced, t);
    t->value = value_won(forced.turns);
    t->depth = 4 * forced.turns - 2;
    return true;
}

// The stones that hold out longest, and how the other wins against them.
static void add_loss(struct searcher *s, int attacker, const struct loss *loss, struct thought *t) {
    struct board6 *b = &s->board;
    struct forced forced;
    const struct quest quest = {
        .attacker = attacker, .stones = 2, .depth = SOLVER_DEPTH_MAX, .budget = SOLVER_UNLIMITED};
    if (loss->turns == 1 && board_turn(b) != attacker) {
        forecast_end(b, t);
        return;
    }
    for (int i = 0; i < 2 && board_turn(b) != attacker && b->left; i++)
        forecast_add(b, t, loss->cell[i] == NO_CELL ? urgent_cell(b, 1 - attacker) : loss->cell[i],
                     NO_CELL);
    if (solver_win(s->solver, &quest, &forced))
        forecast_win(s, quest, forced, t);
}

// The player has lost, whatever he does with the stones left in his turn.
static bool find_loss(struct searcher *s, int player, int stones, uint64_t budget,
                      struct thought *t) {
    struct loss loss;
    if (!loss_find(s, 1 - player, stones, budget, &loss))
        return false;
    add_loss(s, 1 - player, &loss, t);
    t->value = value_lost(loss.turns);
    t->depth = 4 * loss.turns;
    return true;
}

// The one stone to consider ends the game: it wins, loses, or fills the board.
static bool find_end(const struct searcher *s, int player, int cell, struct thought *t) {
    const struct board6 *b = &s->board;
    t->value = board_loses(b, player, cell)                                ? -value_won(1)
               : shape_count(board_shapes(b, player, cell), SHAPE_SIX) > 0 ? value_won(1)
                                                                           : 0;
    t->depth = 1;
    return t->value != 0 || b->left == 1;
}

static bool find_rest(struct searcher *s, int player, uint64_t budget, struct thought *t) {
    const bool mine = board_turn(&s->board) == player;
    if (s->board.left > FINISH_CELLS || !finish_solve(s, mine ? 1 : 2, budget, t))
        return false;
    t->value = mine ? t->value : -t->value;
    return true;
}

// The threats of the other cannot be stopped, or it is his turn.
static bool is_late(const struct board6 *b, int player, int stones) {
    struct covers covers;
    if (stones == 0)
        return true;
    covers_find(b, player, stones, &covers);
    return covers.stones > stones;
}

static bool find_value(struct searcher *s, const struct limits *limits, struct thought *t) {
    struct board6 *b = &s->board;
    const int player = board_turn(b), stones = board_due(b) - (s->only != NO_CELL);
    const uint64_t budget = budget_of(limits, SOLVER_SHARE);
    t->length = 0;
    if (s->only != NO_CELL) {
        const bool ended = find_end(s, player, s->only, t);
        forecast_add(b, t, s->only, NO_CELL);
        if (ended)
            return true;
    }
    return find_rest(s, player, budget_of(limits, FINISH_SHARE), t) ||
           find_win(s, player, stones, budget, t) ||
           (is_late(b, player, stones) && find_loss(s, player, stones, budget, t));
}

// Lets the solver think for a part of the time: a budget is but a guess at the speed of the
// machine.
bool decide_root(struct searcher *s, const struct limits *limits, struct thought *t) {
    struct thought found = {.length = 0};
    const int64_t at_us = stop_share(s->stop, SOLVER_SHARE / 2);
    const bool decided = find_value(s, limits, &found);
    forecast_lift(&s->board, &found, 0);
    stop_resume(s->stop, at_us);
    found.exact = true;
    if (decided)
        *t = found;
    t->nodes = s->nodes;
    return decided;
}

// The whole turn that was found lies on the board; the other has lost.
static bool prove_win(struct searcher *s, int player, uint64_t budget, struct thought *t) {
    if (board_turn(&s->board) == player || !find_loss(s, 1 - player, 2, budget, t))
        return false;
    t->value = -t->value - 1;
    t->depth += 2;
    return true;
}

// The whole turn that was found lies on the board; the other wins. It says nothing of other turns.
static bool prove_loss(struct searcher *s, int player, uint64_t budget, struct thought *t) {
    if (board_turn(&s->board) == player || !find_win(s, 1 - player, 2, budget, t))
        return false;
    t->value = 1 - t->value;
    t->depth += 2;
    return true;
}

static bool prove(struct searcher *s, const struct thought *seen, struct thought *t) {
    struct board6 *b = &s->board;
    const int player = board_turn(b), due = board_due(b);
    const uint64_t budget = s->nodes / PROOF_SHARE + PROOF_LEAST;
    const bool alone = s->limits.except_count > 0; // the turn is judged by itself
    const int stones = seen->value > 0 || alone ? due : s->only != NO_CELL;
    for (int i = 0; i < stones && i < seen->length; i++) {
        const bool ended = alone && find_end(s, player, (int)seen->pv[i], t);
        forecast_add(b, t, (int)seen->pv[i], NO_CELL);
        if (ended)
            return true;
    }
    return seen->value > 0 ? prove_win(s, player, budget, t)
           : alone         ? prove_loss(s, player, budget, t)
                           : find_loss(s, player, due - stones, budget, t);
}

bool decide_search(void *thread, int depth, struct thought *t) {
    struct searcher *s = *(struct searcher **)thread;
    struct thought found = {.length = 0};
    const bool whole = searcher_search(s, depth, t);
    if (!whole || !s->leads || abs(t->value) <= VALUE_FORCED)
        return whole;
    const bool proven = prove(s, t, &found);
    forecast_lift(&s->board, &found, 0);
    found.exact = true;
    if (proven)
        *t = found;
    t->nodes = s->nodes;
    return true;
}
