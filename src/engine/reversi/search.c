// SPDX-License-Identifier: MIT
// Principal variation search: the first move of a position is searched with the window it was
// given, the others with one of width one, which only asks whether they are better. Nearly all
// nodes have such a window. Passes cost no depth. A search as deep as there are empty squares is to
// the end, and the last of it is done without evaluating.
#include "engine/reversi/isa.h"

#include "engine/reversi/search.h"

#include "engine/reversi/end.h"
#include "engine/reversi/stable.h"
#include "engine/reversi/view.h"

#include <assert.h>
#include <string.h>

enum {
    END_EMPTIES = 13,      // empty squares from which the rest is solved without evaluating
    SHALLOW = 2,           // plies that are searched without the table
    FIRST = -100000,       // the order of what comes first
    REPLY = EVAL_DISC / 2, // what a reply left to the opponent counts in the order
    REPLY_AT_END = 2 * EVAL_DISC,
};

static int clamp(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

// Units of the evaluation as discs.
static int discs(int score) {
    const int half = EVAL_DISC / 2;
    return clamp((score + (score < 0 ? -half : half)) / EVAL_DISC, -VALUE_MAX, VALUE_MAX);
}

static int evaluate(struct reversi_search *s, const struct view *v, int empties) {
    s->nodes++;
    return discs(eval_sum_score(s->eval, &v->board, empties,
                                view_sum(s->eval->patterns, v, s->eval->all[eval_stage(empties)])));
}

// What the opponent's position after a choice is worth to him, in units of the evaluation.
static int evaluate_choice(struct reversi_search *s, const struct view *v, const struct choice *c,
                           int empties) {
    s->nodes++;
    const int sum = view_sum_after(s->eval->patterns, v, c->square, &c->next, c->replies,
                                   s->eval->all[eval_stage(empties - 1)]);
    return eval_sum_score(s->eval, &c->next, empties - 1, sum);
}

static void step(const struct reversi_search *s, const struct view *v, const struct choice *c,
                 struct view *next) {
    view_step(s->eval->patterns, v, c->square, c->next.own ^ v->board.other, next);
}

// A search without a table, for a few plies, in units of the evaluation.
static int shallow(struct reversi_search *s, const struct view *v, uint64_t moves, int alpha,
                   int beta, int depth, int empties) {
    const struct board *b = &v->board;
    struct view next;
    if (!moves) {
        view_pass(v, &next);
        moves = board_moves(&next.board, s->variant);
        return moves ? -shallow(s, &next, moves, -beta, -alpha, depth, empties)
                     : EVAL_DISC * search_final(s, b->own, b->other);
    }
    int best = -EVAL_DISC * VALUE_NONE;
    for (; moves && best < beta; moves &= moves - 1) {
        struct choice c;
        choice_list(b, s->variant, moves & -moves, false, &c);
        int value;
        if (depth <= 1) {
            value = -evaluate_choice(s, v, &c, empties);
        } else {
            step(s, v, &c, &next);
            value = -shallow(s, &next, c.replies, -beta, -(best > alpha ? best : alpha), depth - 1,
                             empties - 1);
        }
        best = value > best ? value : best;
    }
    return best;
}

// Orders the choices: the squares hinted at first, then by what they are worth and by how few
// replies they leave. A short search would order no better.
static void rank_choices(struct reversi_search *s, const struct view *v, const struct choice *list,
                         int *rank, int count, int depth, int empties, int hints) {
    const int reply = depth == empties ? REPLY_AT_END : REPLY;
    for (int i = 0; i < count; i++) {
        const struct choice *c = &list[i];
        const int order = c->square == (hints & 255) ? FIRST
                          : c->square == hints >> 8
                              ? FIRST + 1
                              : evaluate_choice(s, v, c, empties) + reply * bits_count(c->replies);
        rank[i] = order * CHOICES_MAX + i;
    }
}

static int nws(struct reversi_search *s, const struct view *v, int alpha, int depth, int empties);

// A shorter search that shows the value to be most likely outside the window; or VALUE_NONE.
static int cut_by_probe(struct reversi_search *s, const struct view *v, int alpha, int depth,
                        int empties) {
    const struct cut cut = s->cuts->cut[s->certainty][depth][empties];
    if (cut.probe <= 0)
        return VALUE_NONE;
    const int guess = evaluate(s, v, empties), above = alpha + 1 + cut.margin,
              below = alpha - cut.margin;
    if (guess > alpha && above <= VALUE_MAX && nws(s, v, above - 1, cut.probe, empties) >= above)
        return alpha + 1;
    if (guess <= alpha && below >= -VALUE_MAX && nws(s, v, below, cut.probe, empties) <= below)
        return alpha;
    return VALUE_NONE;
}

// Does the table know enough of the position?
static bool cut_by_tt(const struct reversi_search *s, const struct tt_entry *e, int alpha,
                      int depth, int *value) {
    if (e->depth < depth || e->kind < s->certainty)
        return false;
    *value = e->lower > alpha ? e->lower : e->upper;
    return e->lower > alpha || e->upper <= alpha;
}

// Or of one that follows?
static bool cut_by_tt_after(const struct reversi_search *s, const struct choice *list, int count,
                            int alpha, int depth, int *value) {
    struct tt_entry e;
    for (int i = 0; i < count; i++)
        if (tt_get(s->tt, list[i].key, &e) && e.depth >= depth - 1 && e.kind >= s->certainty &&
            -e.upper > alpha) {
            *value = -e.upper;
            return true;
        }
    return false;
}

// Keeps what a search found: a bound, or both if it was inside the window.
static void keep(struct reversi_search *s, uint64_t key, const struct tt_entry *known, int depth,
                 int alpha, int beta, int value, int square) {
    struct tt_entry e = {.lower = -VALUE_MAX,
                         .upper = VALUE_MAX,
                         .depth = (uint8_t)depth,
                         .kind = (uint8_t)s->certainty,
                         .move = (uint16_t)square};
    if (known->depth == depth && known->kind == (uint8_t)s->certainty) {
        e.lower = known->lower;
        e.upper = known->upper;
    }
    const int before = known->move & 255;
    e.move |= (uint16_t)((before == square ? known->move >> 8 : before) << 8);
    if (value > alpha)
        e.lower = (int16_t)value;
    if (value < beta)
        e.upper = (int16_t)value;
    if (e.lower > e.upper) // two searches that were not certain
        e.lower = e.upper = (int16_t)value;
    tt_put(s->tt, key, e);
}

static const struct tt_entry nothing = {.move = NO_SQUARE | NO_SQUARE << 8};

static int nws_move(struct reversi_search *s, const struct view *v, const struct choice *c,
                    int alpha, int depth, int empties) {
    if (depth == empties && empties - 1 <= END_EMPTIES)
        return -end_solve(s, &c->next, -alpha - 1);
    struct view next;
    step(s, v, c, &next);
    return -nws(s, &next, -alpha - 1, depth - 1, empties - 1);
}

static int nws_moves(struct reversi_search *s, const struct view *v, uint64_t moves, int alpha,
                     int depth, int empties, const struct tt_entry *known, uint64_t key) {
    struct choice list[CHOICES_MAX];
    int rank[CHOICES_MAX];
    assert(moves);
    const int count = choice_list(&v->board, s->variant, moves, true, list);
    int best = -VALUE_NONE, square = NO_SQUARE;
    if (cut_by_tt_after(s, list, count, alpha, depth, &best))
        return best;
    rank_choices(s, v, list, rank, count, depth, empties, known->move);
    for (int i = 0; i < count && best <= alpha; i++) {
        const struct choice *c = &list[choice_next(rank + i, count - i)];
        const int value = nws_move(s, v, c, alpha, depth, empties);
        if (value > best) {
            best = value;
            square = c->square;
        }
    }
    if (!search_stopped(s))
        keep(s, key, known, depth, alpha, alpha + 1, best, square);
    return best;
}

static int nws(struct reversi_search *s, const struct view *v, int alpha, int depth, int empties) {
    const struct board *b = &v->board;
    if (depth == empties && empties <= END_EMPTIES)
        return end_solve(s, b, alpha);
    if (depth <= SHALLOW && depth < empties)
        return depth <= 0 ? evaluate(s, v, empties)
                          : discs(shallow(s, v, board_moves(b, s->variant), EVAL_DISC * alpha,
                                          EVAL_DISC * (alpha + 1), depth, empties));
    s->nodes++;
    if (search_stopped(s))
        return alpha;
    if (depth == empties && alpha > 30) {
        const int most = s->squares - 2 * bits_count(stable_discs(b->other, b->own, s->variant));
        if (most <= alpha)
            return most;
    }
    const uint64_t moves = board_moves(b, s->variant);
    if (!moves) {
        struct view passed;
        view_pass(v, &passed);
        return board_moves(&passed.board, s->variant) ? -nws(s, &passed, -alpha - 1, depth, empties)
                                                      : search_final(s, b->own, b->other);
    }
    const uint64_t key = board_hash(b);
    struct tt_entry known = nothing;
    int value;
    if (tt_get(s->tt, key, &known) && cut_by_tt(s, &known, alpha, depth, &value))
        return value;
    if (s->certainty != CERTAIN &&
        (value = cut_by_probe(s, v, alpha, depth, empties)) != VALUE_NONE)
        return value;
    return nws_moves(s, v, moves, alpha, depth, empties, &known, key);
}

static void update_pv(struct reversi_line *line, int square, const struct reversi_line *rest) {
    line->square[0] = (uint8_t)square;
    for (int i = 0; i < rest->length; i++)
        line->square[i + 1] = rest->square[i];
    line->length = rest->length + 1;
}

static int pvs(struct reversi_search *s, const struct view *v, int alpha, int beta, int depth,
               int empties, struct reversi_line *line);

// The value of one move, as far as the window asks.
static int pvs_move(struct reversi_search *s, const struct view *v, const struct choice *c,
                    bool first, int alpha, int beta, int depth, int empties,
                    struct reversi_line *rest) {
    struct view next;
    if (!first) {
        const int value = nws_move(s, v, c, alpha, depth, empties);
        rest->length = 0;
        if (value <= alpha || value >= beta || search_stopped(s))
            return value;
    }
    step(s, v, c, &next);
    return -pvs(s, &next, -beta, -alpha, depth - 1, empties - 1, rest);
}

static int pvs_moves(struct reversi_search *s, const struct view *v, uint64_t moves, int alpha,
                     int beta, int depth, int empties, bool all, struct reversi_line *line) {
    struct choice list[CHOICES_MAX];
    int rank[CHOICES_MAX];
    struct tt_entry known = nothing;
    const uint64_t key = board_hash(&v->board);
    const int count = choice_list(&v->board, s->variant, moves, true, list);
    int best = -VALUE_NONE, square = NO_SQUARE;
    tt_get(s->tt, key, &known);
    rank_choices(s, v, list, rank, count, depth, empties, known.move);
    for (int i = 0; i < count && best < beta; i++) {
        struct reversi_line rest = {.length = 0};
        const int floor = best > alpha ? best : alpha;
        const struct choice *c = &list[choice_next(rank + i, count - i)];
        const int value = pvs_move(s, v, c, i == 0, floor, beta, depth, empties, &rest);
        if (search_stopped(s))
            return best;
        if (value > best) {
            best = value;
            square = c->square;
        }
        if (value > floor)
            update_pv(line, c->square, &rest);
    }
    if (all)
        keep(s, key, &known, depth, alpha, beta, best, square);
    return best;
}

static int pvs(struct reversi_search *s, const struct view *v, int alpha, int beta, int depth,
               int empties, struct reversi_line *line) {
    line->length = 0;
    if (empties == 0)
        return search_final(s, v->board.own, v->board.other);
    if (depth <= 0)
        return evaluate(s, v, empties);
    s->nodes++;
    const uint64_t moves = board_moves(&v->board, s->variant);
    if (moves)
        return pvs_moves(s, v, moves, alpha, beta, depth, empties, true, line);
    struct view passed;
    view_pass(v, &passed);
    return board_moves(&passed.board, s->variant)
               ? -pvs(s, &passed, -beta, -alpha, depth, empties, line)
               : search_final(s, v->board.own, v->board.other);
}

int search_run(struct reversi_search *s, const struct board *b, uint64_t among, int alpha, int beta,
               int depth, struct reversi_line *line) {
    const uint64_t moves = board_moves(b, s->variant), some = moves & among;
    struct view v;
    view_make(s->eval->patterns, b, &v);
    s->nodes++;
    line->length = 0;
    return pvs_moves(s, &v, some, alpha, beta, depth, board_empties(b, s->variant), some == moves,
                     line);
}
