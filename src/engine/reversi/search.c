// SPDX-License-Identifier: MIT
// Principal variation search: the first move of a position is searched with the window it was
// given, the others with one of width one, which only asks whether they are better. Nearly all
// nodes have such a window, and solve_null or probe_null searches them. Passes cost no depth.
#include "engine/reversi/search.h"

#include "engine/reversi/cut.h"
#include "engine/reversi/end.h"
#include "engine/reversi/stable.h"

enum {
    LOOK_EVERY = 4096, // nodes between two looks at the clock
    END_EMPTIES = 13,  // empty squares from which the rest is solved without an evaluation
    SHALLOW = 2,       // plies that are searched without the table
    FIRST = -100000,   // the order of what comes first
};

void search_init(struct search *s, const struct variant *v, struct memo *memo, struct stop *stop) {
    *s = (struct search){.variant = v,
                         .eval = eval_find(v->kind),
                         .memo = memo,
                         .stop = stop,
                         .certainty = CERTAIN,
                         .squares = bits_count(v->squares)};
}

bool search_look(struct search *s) {
    if (stop_look(s->stop, s->nodes)) {
        s->look_at = 0;
        return true;
    }
    s->look_at = s->nodes + LOOK_EVERY;
    if (s->stop->nodes && s->stop->nodes < s->look_at)
        s->look_at = s->stop->nodes;
    return false;
}

static int clamp(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

static int evaluate(struct search *s, const struct board *b) {
    s->nodes++;
    const int score = eval_score(s->eval, b), half = EVAL_DISC / 2;
    return clamp((score + (score < 0 ? -half : half)) / EVAL_DISC, -VALUE_MAX, VALUE_MAX);
}

// A search without a table, for a few plies. The leaves are evaluated.
static int shallow(struct search *s, const struct board *b, int alpha, int beta, int depth) {
    if (depth <= 0)
        return evaluate(s, b);
    uint64_t moves = board_moves(b, s->variant);
    if (!moves) {
        const struct board passed = board_pass(b);
        return board_moves(&passed, s->variant) ? -shallow(s, &passed, -beta, -alpha, depth)
                                                : search_final(s, b->own, b->other);
    }
    int best = -VALUE_NONE;
    for (; moves && best < beta; moves &= moves - 1) {
        const int x = bits_first(moves);
        const struct board next = board_play(b, x, board_flips(b, x));
        const int value = -shallow(s, &next, -beta, -(best > alpha ? best : alpha), depth - 1);
        best = value > best ? value : best;
    }
    return best;
}

// Orders the choices: the squares hinted at first, then by what a short search says of them and by
// how few replies they leave.
static void order_choices(struct search *s, struct choice *list, int count, int depth, int empties,
                          const struct entry *hint) {
    const bool ending = depth == empties;
    const int look = ending ? clamp((depth - 16) / 3, 0, 3) : clamp((depth - 8) / 3, 0, 3);
    for (int i = 0; i < count; i++) {
        struct choice *c = &list[i];
        if (c->square == (hint->move & 255)) {
            c->order = FIRST;
            continue;
        }
        const uint64_t replies = board_moves(&c->next, s->variant);
        const int value = shallow(s, &c->next, -VALUE_MAX, VALUE_MAX, look);
        c->order = 4 * value + (ending ? 8 : 3) * bits_count(replies);
    }
}

static int nws(struct search *s, const struct board *b, int alpha, int depth, int empties);

// A shorter search that shows the value to be most likely outside the window; or VALUE_NONE.
static int cut_by_probe(struct search *s, const struct board *b, int alpha, int depth,
                        int empties) {
    const struct cut cut = cut_find(s->variant, s->certainty, depth, empties);
    if (cut.probe <= 0)
        return VALUE_NONE;
    const int guess = evaluate(s, b), above = alpha + 1 + cut.margin, below = alpha - cut.margin;
    if (guess > alpha && above <= VALUE_MAX && nws(s, b, above - 1, cut.probe, empties) >= above)
        return alpha + 1;
    if (guess <= alpha && below >= -VALUE_MAX && nws(s, b, below, cut.probe, empties) <= below)
        return alpha;
    return VALUE_NONE;
}

// Does the table know enough of the position?
static bool cut_by_entry(const struct search *s, const struct entry *e, int alpha, int depth,
                         int *value) {
    if (e->depth < depth || e->kind < s->certainty)
        return false;
    *value = e->lower > alpha ? e->lower : e->upper;
    return e->lower > alpha || e->upper <= alpha;
}

// Or of one that follows?
static bool cut_by_choices(const struct search *s, const struct choice *list, int count, int alpha,
                           int depth, int *value) {
    struct entry e;
    for (int i = 0; i < count; i++)
        if (memo_get(s->memo, board_hash(&list[i].next), &e) && e.depth >= depth - 1 &&
            e.kind >= s->certainty && -e.upper > alpha) {
            *value = -e.upper;
            return true;
        }
    return false;
}

// Keeps what a search found: a bound, or both if it was inside the window.
static void keep(struct search *s, uint64_t key, const struct entry *known, int depth, int alpha,
                 int beta, int value, int square) {
    struct entry e = {.lower = -VALUE_MAX,
                      .upper = VALUE_MAX,
                      .depth = (uint8_t)depth,
                      .kind = (uint8_t)s->certainty,
                      .move = (uint16_t)square};
    if (known->depth == depth && known->kind == (uint8_t)s->certainty) {
        e.lower = known->lower;
        e.upper = known->upper;
    }
    if (value > alpha)
        e.lower = (int16_t)value;
    if (value < beta)
        e.upper = (int16_t)value;
    if (e.lower > e.upper) // two searches that were not certain
        e.lower = e.upper = (int16_t)value;
    memo_put(s->memo, key, e);
}

static const struct entry nothing = {.move = NO_SQUARE};

static int nws_moves(struct search *s, const struct board *b, uint64_t moves, int alpha, int depth,
                     int empties, const struct entry *known, uint64_t key) {
    struct choice list[CHOICES_MAX];
    const int count = choice_list(b, moves, list);
    int best = -VALUE_NONE, square = NO_SQUARE;
    if (cut_by_choices(s, list, count, alpha, depth, &best))
        return best;
    order_choices(s, list, count, depth, empties, known);
    for (int i = 0; i < count && best <= alpha; i++) {
        choice_next(list + i, count - i);
        const int value = -nws(s, &list[i].next, -alpha - 1, depth - 1, empties - 1);
        if (value > best) {
            best = value;
            square = list[i].square;
        }
    }
    if (!search_stopped(s))
        keep(s, key, known, depth, alpha, alpha + 1, best, square);
    return best;
}

static int nws(struct search *s, const struct board *b, int alpha, int depth, int empties) {
    if (depth == empties && empties <= END_EMPTIES)
        return end_solve(s, b, alpha);
    if (depth <= SHALLOW && depth < empties)
        return shallow(s, b, alpha, alpha + 1, depth);
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
        const struct board passed = board_pass(b);
        return board_moves(&passed, s->variant) ? -nws(s, &passed, -alpha - 1, depth, empties)
                                                : search_final(s, b->own, b->other);
    }
    const uint64_t key = board_hash(b);
    struct entry known = nothing;
    int value;
    if (memo_get(s->memo, key, &known) && cut_by_entry(s, &known, alpha, depth, &value))
        return value;
    if (s->certainty != CERTAIN &&
        (value = cut_by_probe(s, b, alpha, depth, empties)) != VALUE_NONE)
        return value;
    return nws_moves(s, b, moves, alpha, depth, empties, &known, key);
}

static void put_line(struct line *line, int square, const struct line *rest) {
    line->square[0] = (uint8_t)square;
    for (int i = 0; i < rest->length; i++)
        line->square[i + 1] = rest->square[i];
    line->length = rest->length + 1;
}

static int pvs(struct search *s, const struct board *b, int alpha, int beta, int depth, int empties,
               struct line *line);

// The value of one move, as far as the window asks.
static int pvs_move(struct search *s, const struct board *next, bool first, int alpha, int beta,
                    int depth, int empties, struct line *rest) {
    if (!first) {
        const int value = -nws(s, next, -alpha - 1, depth - 1, empties - 1);
        rest->length = 0;
        if (value <= alpha || value >= beta || search_stopped(s))
            return value;
    }
    return -pvs(s, next, -beta, -alpha, depth - 1, empties - 1, rest);
}

static int pvs_moves(struct search *s, const struct board *b, uint64_t moves, int alpha, int beta,
                     int depth, int empties, bool all, struct line *line) {
    struct choice list[CHOICES_MAX];
    struct entry known = nothing;
    const uint64_t key = board_hash(b);
    const int count = choice_list(b, moves, list);
    int best = -VALUE_NONE;
    memo_get(s->memo, key, &known);
    order_choices(s, list, count, depth, empties, &known);
    for (int i = 0; i < count && best < beta; i++) {
        struct line rest = {.length = 0};
        const int floor = best > alpha ? best : alpha;
        choice_next(list + i, count - i);
        const int value = pvs_move(s, &list[i].next, i == 0, floor, beta, depth, empties, &rest);
        if (search_stopped(s))
            return best;
        if (value > best) {
            best = value;
            known.move = (uint16_t)list[i].square;
        }
        if (value > floor)
            put_line(line, list[i].square, &rest);
    }
    if (all)
        keep(s, key, &known, depth, alpha, beta, best, known.move);
    return best;
}

static int pvs(struct search *s, const struct board *b, int alpha, int beta, int depth, int empties,
               struct line *line) {
    line->length = 0;
    if (empties == 0)
        return search_final(s, b->own, b->other);
    if (depth <= 0)
        return evaluate(s, b);
    s->nodes++;
    const uint64_t moves = board_moves(b, s->variant);
    if (moves)
        return pvs_moves(s, b, moves, alpha, beta, depth, empties, true, line);
    const struct board passed = board_pass(b);
    return board_moves(&passed, s->variant) ? -pvs(s, &passed, -beta, -alpha, depth, empties, line)
                                            : search_final(s, b->own, b->other);
}

int search_run(struct search *s, const struct board *b, uint64_t among, int alpha, int beta,
               int depth, struct line *line) {
    const uint64_t moves = board_moves(b, s->variant), some = moves & among;
    s->nodes++;
    line->length = 0;
    return pvs_moves(s, b, some, alpha, beta, depth, board_empties(b, s->variant), some == moves,
                     line);
}
