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
    REPLY_AT_END = 3 * EVAL_DISC,
    SHARED = 7,         // plies of a node whose moves are shared with idle threads
    SHARED_AT_END = 14, // the same of a search to the end
};

static int clamp(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

// Units of the evaluation as discs.
static int discs(int score) {
    const int half = EVAL_DISC / 2;
    return clamp((score + (score < 0 ? -half : half)) / EVAL_DISC, -VALUE_MAX, VALUE_MAX);
}

// The least that counts as so many discs.
static int least_score(int value) {
    return EVAL_DISC * value - EVAL_DISC / 2 + (value > 0 ? 0 : 1);
}

static int evaluate(struct reversi_search *s, const struct pattern_view *v, int empties) {
    s->nodes++;
    return discs(eval_sum_score(s->eval, &v->board, empties,
                                view_sum(&s->eval->patterns, v, eval_weights(s->eval, empties))));
}

// What the opponent's position after a choice is worth to him, in units of the evaluation.
static int evaluate_choice(struct reversi_search *s, const struct pattern_view *v,
                           const struct choice *c, int empties) {
    s->nodes++;
    const int sum = view_sum_after(&s->eval->patterns, v, c->square, &c->next, c->replies,
                                   eval_weights(s->eval, empties - 1));
    return eval_sum_score(s->eval, &c->next, empties - 1, sum);
}

static void step(const struct reversi_search *s, const struct pattern_view *v,
                 const struct choice *c, struct pattern_view *next) {
    view_step(&s->eval->patterns, v, c->square, c->next.own ^ v->board.other, next);
}

// A position in the tree, and what is asked of it.
struct reversi_node {
    const struct pattern_view *view;
    int alpha, beta;
    int depth;   // plies to search
    int empties; // empty squares
};

// The node after a move or a pass, with a window seen from there.
static struct reversi_node node_after(const struct reversi_node *n, const struct pattern_view *view,
                                      int plies, int alpha, int beta) {
    return (struct reversi_node){.view = view,
                                 .alpha = -beta,
                                 .beta = -alpha,
                                 .depth = n->depth - plies,
                                 .empties = n->empties - plies};
}

// One of the moves, likely a good one, by its square alone: corners first, those beside them last.
static uint64_t likely_move(uint64_t moves) {
    const uint64_t corners = UINT64_C(0x8100000000000081), beside = UINT64_C(0x42c300000000c342);
    const uint64_t first = moves & corners, middle = moves & ~beside;
    const uint64_t part = first ? first : middle ? middle : moves;
    return part & -part;
}

// A search without a table, for a few plies, in units of the evaluation.
static int shallow(struct reversi_search *s, const struct reversi_node *n, uint64_t moves) {
    const struct board *b = &n->view->board;
    struct pattern_view view;
    if (!moves) {
        view_pass(n->view, &view);
        const struct reversi_node next = node_after(n, &view, 0, n->alpha, n->beta);
        moves = board_moves(&view.board, s->variant);
        return moves ? -shallow(s, &next, moves) : EVAL_DISC * search_final(s, b->own, b->other);
    }
    int best = -EVAL_DISC * VALUE_NONE;
    while (moves && best < n->beta) {
        struct choice c;
        const uint64_t next_move = likely_move(moves);
        moves ^= next_move;
        choice_list(b, s->variant, next_move, false, &c);
        int value;
        if (n->depth <= 1) {
            value = -evaluate_choice(s, n->view, &c, n->empties);
        } else {
            step(s, n->view, &c, &view);
            const struct reversi_node next =
                node_after(n, &view, 1, best > n->alpha ? best : n->alpha, n->beta);
            value = -shallow(s, &next, c.replies);
        }
        best = value > best ? value : best;
    }
    return best;
}

// Orders the choices: the squares hinted at first, the others as they come. Returns how many were
// hinted at.
static int rank_hinted(const struct choice *list, int count, int hints, int *rank) {
    int hinted = 0;
    for (int i = 0; i < count; i++) {
        const int square = list[i].square, first = square == (hints & 255);
        const int order = first ? FIRST : square == hints >> 8 ? FIRST + 1 : 0;
        hinted += order < 0;
        rank[i] = order * CHOICES_MAX + i;
    }
    return hinted;
}

// Orders those that are left by what they are worth and by how few replies they leave. A short
// search would order no better. Most of the time a square hinted at is enough, and they are not
// asked for.
static void rank_rest(struct reversi_search *s, const struct reversi_node *n,
                      const struct choice *list, int count, int *rank) {
    const int reply = n->depth == n->empties ? REPLY_AT_END : REPLY;
    for (int i = 0; i < count; i++) {
        const int number = rank[i] & (CHOICES_MAX - 1);
        const struct choice *c = &list[number];
        rank[i] = (evaluate_choice(s, n->view, c, n->empties) + reply * bits_count(c->replies)) *
                      CHOICES_MAX +
                  number;
    }
}

static int nws(struct reversi_search *s, const struct pattern_view *v, int alpha, int depth,
               int empties);

// Multi-ProbCut: a shorter search that shows the value to be most likely outside the window; or
// VALUE_NONE.
static int cut_by_probe(struct reversi_search *s, const struct reversi_node *n) {
    const struct cut cut = s->cuts->cut[s->certainty][n->depth][n->empties];
    if (cut.probe <= 0)
        return VALUE_NONE;
    const int guess = evaluate(s, n->view, n->empties), above = n->beta + cut.margin,
              below = n->alpha - cut.margin;
    if (guess > n->alpha && above <= VALUE_MAX &&
        nws(s, n->view, above - 1, cut.probe, n->empties) >= above)
        return n->beta;
    if (guess <= n->alpha && below >= -VALUE_MAX &&
        nws(s, n->view, below, cut.probe, n->empties) <= below)
        return n->alpha;
    return VALUE_NONE;
}

// Does the table know enough of the position?
static bool cut_by_tt(const struct reversi_search *s, const struct reversi_node *n,
                      const struct tt_entry *e, int *value) {
    if (e->depth < n->depth || e->kind < s->certainty)
        return false;
    *value = e->lower > n->alpha ? e->lower : e->upper;
    return e->lower > n->alpha || e->upper <= n->alpha;
}

// Or of one that follows? (enhanced transposition cutoff)
static bool cut_by_tt_after(const struct reversi_search *s, const struct reversi_node *n,
                            const struct choice *list, int count, int *value) {
    struct tt_entry e;
    for (int i = 0; i < count; i++)
        if (tt_get(s->tt, list[i].key, &e) && e.depth >= n->depth - 1 && e.kind >= s->certainty &&
            -e.upper > n->alpha) {
            *value = -e.upper;
            return true;
        }
    return false;
}

// Keeps what a search found: a bound, or both if it was inside the window.
static void keep(struct reversi_search *s, const struct reversi_node *n, uint64_t key,
                 const struct tt_entry *known, int value, int square) {
    struct tt_entry e = {.lower = -VALUE_MAX,
                         .upper = VALUE_MAX,
                         .depth = (uint8_t)n->depth,
                         .kind = (uint8_t)s->certainty,
                         .move = (uint16_t)square};
    if (known->depth == n->depth && known->kind == (uint8_t)s->certainty) {
        e.lower = known->lower;
        e.upper = known->upper;
    }
    const int before = known->move & 255;
    e.move |= (uint16_t)((before == square ? known->move >> 8 : before) << 8);
    if (value > n->alpha)
        e.lower = (int16_t)value;
    if (value < n->beta)
        e.upper = (int16_t)value;
    if (e.lower > e.upper) // two searches that were not certain
        e.lower = e.upper = (int16_t)value;
    tt_put(s->tt, key, e);
}

static const struct tt_entry nothing = {.move = NO_SQUARE | NO_SQUARE << 8};

static int nws_move(struct reversi_search *s, const struct reversi_node *n, const struct choice *c,
                    int alpha) {
    if (n->depth == n->empties && n->empties - 1 <= END_EMPTIES)
        return -end_solve(s, &c->next, -alpha - 1);
    struct pattern_view next;
    step(s, n->view, c, &next);
    return -nws(s, &next, -alpha - 1, n->depth - 1, n->empties - 1);
}

static int pvs(struct reversi_search *s, const struct reversi_node *n, struct reversi_line *line);

static void update_pv(struct reversi_line *line, int square, const struct reversi_line *rest) {
    line->square[0] = (uint8_t)square;
    for (int i = 0; i < rest->length; i++)
        line->square[i + 1] = rest->square[i];
    line->length = rest->length + 1;
}

// The value of one move, as far as the window from alpha on asks.
static int pvs_move(struct reversi_search *s, const struct reversi_node *n, const struct choice *c,
                    bool first, int alpha, struct reversi_line *rest) {
    struct pattern_view view;
    if (!first) {
        const int value = nws_move(s, n, c, alpha);
        rest->length = 0;
        if (value <= alpha || value >= n->beta || search_stopped(s))
            return value;
    }
    step(s, n->view, c, &view);
    const struct reversi_node next = node_after(n, &view, 1, alpha, n->beta);
    return -pvs(s, &next, rest);
}

// What is known of a node between its moves.
struct findings {
    int best, square;
    struct reversi_line *line; // NULL: the window has width one, and nobody asks
};

static void note(struct findings *f, const struct reversi_node *n, int value, int square,
                 const struct reversi_line *rest) {
    if (value <= f->best)
        return;
    f->best = value;
    f->square = square;
    if (f->line && value > n->alpha)
        update_pv(f->line, square, rest);
}

static int floor_of(const struct findings *f, const struct reversi_node *n) {
    return f->best > n->alpha ? f->best : n->alpha;
}

// A node whose moves are shared.
struct shared {
    struct split split;
    const struct reversi_node *node;
    const struct choice *list;
    int order[CHOICES_MAX]; // in which they are searched
    enum certainty certainty;
    struct findings found;
};

static void shared_part(void *member, struct split *split, int number) {
    struct reversi_search *s = member;
    struct shared *shared = (struct shared *)split;
    const struct reversi_node *n = shared->node;
    const struct choice *c = &shared->list[shared->order[number]];
    struct split *const before = s->split;
    struct reversi_line rest = {.length = 0};
    pthread_mutex_lock(&s->squad->lock);
    const int floor = floor_of(&shared->found, n);
    pthread_mutex_unlock(&s->squad->lock);
    s->split = split;
    s->certainty = shared->certainty;
    s->look_at = 0;
    const int value = pvs_move(s, n, c, false, floor, &rest);
    pthread_mutex_lock(&s->squad->lock);
    if (!search_stopped(s))
        note(&shared->found, n, value, c->square, &rest);
    if (shared->found.best >= n->beta)
        split_settle(split);
    pthread_mutex_unlock(&s->squad->lock);
    s->split = before;
    s->look_at = 0;
}

// Is somebody idle who could search the moves left, and are they worth it?
static bool is_shared(const struct reversi_search *s, const struct reversi_node *n, int left) {
    return s->squad && left > 1 && n->depth >= (n->depth == n->empties ? SHARED_AT_END : SHARED) &&
           squad_idle(s->squad);
}

static void share(struct reversi_search *s, const struct reversi_node *n, const struct choice *list,
                  int *rank, int left, struct findings *found) {
    struct shared shared = {.split = {.part = shared_part, .count = left, .above = s->split},
                            .node = n,
                            .list = list,
                            .certainty = s->certainty,
                            .found = *found};
    for (int i = 0; i < left; i++)
        shared.order[i] = choice_next(rank + i, left - i);
    squad_share(s->squad, s, &shared.split);
    s->look_at = 0; // whoever helped may have been stopped, and so is this node
    *found = shared.found;
}

static int nws_moves(struct reversi_search *s, const struct reversi_node *n, uint64_t moves,
                     const struct tt_entry *known, uint64_t key) {
    struct choice list[CHOICES_MAX];
    int rank[CHOICES_MAX];
    assert(moves);
    const bool keyed = n->depth > SHALLOW + 1; // what follows is in the table
    const int count = choice_list(&n->view->board, s->variant, moves, keyed, list);
    struct findings found = {.best = -VALUE_NONE, .square = NO_SQUARE};
    if (keyed && cut_by_tt_after(s, n, list, count, &found.best))
        return found.best;
    const int hinted = rank_hinted(list, count, known->move, rank);
    for (int i = 0; i < count && found.best <= n->alpha; i++) {
        if (i == hinted)
            rank_rest(s, n, list, count - i, rank + i);
        if (i > 0 && i >= hinted && is_shared(s, n, count - i)) {
            share(s, n, list, rank + i, count - i, &found);
            break;
        }
        const struct choice *c = &list[choice_next(rank + i, count - i)];
        note(&found, n, nws_move(s, n, c, n->alpha), c->square, NULL);
    }
    if (!search_stopped(s))
        keep(s, n, key, known, found.best, found.square);
    return found.best;
}

// Of a window of width one (null window search).
static int nws(struct reversi_search *s, const struct pattern_view *v, int alpha, int depth,
               int empties) {
    const struct board *b = &v->board;
    if (depth == empties && empties <= END_EMPTIES)
        return end_solve(s, b, alpha);
    if (depth <= 0 && depth < empties)
        return evaluate(s, v, empties);
    if (depth <= SHALLOW && depth < empties) {
        const int above = least_score(alpha + 1);
        const struct reversi_node n = {v, above - 1, above, depth, empties};
        return discs(shallow(s, &n, board_moves(b, s->variant)));
    }
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
        struct pattern_view passed;
        view_pass(v, &passed);
        return board_moves(&passed.board, s->variant) ? -nws(s, &passed, -alpha - 1, depth, empties)
                                                      : search_final(s, b->own, b->other);
    }
    const struct reversi_node n = {v, alpha, alpha + 1, depth, empties};
    const uint64_t key = board_hash(b);
    struct tt_entry known = nothing;
    int value;
    if (tt_get(s->tt, key, &known) && cut_by_tt(s, &n, &known, &value))
        return value;
    if (s->certainty != CERTAIN && (value = cut_by_probe(s, &n)) != VALUE_NONE)
        return value;
    return nws_moves(s, &n, moves, &known, key);
}

static int pvs_moves(struct reversi_search *s, const struct reversi_node *n, uint64_t moves,
                     bool all, struct reversi_line *line) {
    struct choice list[CHOICES_MAX];
    int rank[CHOICES_MAX];
    struct tt_entry known = nothing;
    const uint64_t key = board_hash(&n->view->board);
    const int count = choice_list(&n->view->board, s->variant, moves, false, list);
    struct findings found = {.best = -VALUE_NONE, .square = NO_SQUARE, .line = line};
    tt_get(s->tt, key, &known);
    const int hinted = rank_hinted(list, count, known.move, rank);
    for (int i = 0; i < count && found.best < n->beta; i++) {
        if (i == hinted)
            rank_rest(s, n, list, count - i, rank + i);
        if (i > 0 && i >= hinted && is_shared(s, n, count - i)) {
            share(s, n, list, rank + i, count - i, &found);
            i = count;
        } else {
            struct reversi_line rest = {.length = 0};
            const struct choice *c = &list[choice_next(rank + i, count - i)];
            const int value = pvs_move(s, n, c, i == 0, floor_of(&found, n), &rest);
            if (!search_stopped(s))
                note(&found, n, value, c->square, &rest);
        }
        if (search_stopped(s))
            return found.best;
    }
    if (all)
        keep(s, n, key, &known, found.best, found.square);
    return found.best;
}

static int pvs(struct reversi_search *s, const struct reversi_node *n, struct reversi_line *line) {
    const struct board *b = &n->view->board;
    line->length = 0;
    if (n->empties == 0)
        return search_final(s, b->own, b->other);
    if (n->depth <= 0)
        return evaluate(s, n->view, n->empties);
    s->nodes++;
    const uint64_t moves = board_moves(b, s->variant);
    if (moves)
        return pvs_moves(s, n, moves, true, line);
    struct pattern_view passed;
    view_pass(n->view, &passed);
    const struct reversi_node next = node_after(n, &passed, 0, n->alpha, n->beta);
    return board_moves(&passed.board, s->variant) ? -pvs(s, &next, line)
                                                  : search_final(s, b->own, b->other);
}

int search_run(struct reversi_search *s, const struct reversi_root *root,
               struct reversi_line *line) {
    const struct board *b = &root->board;
    const uint64_t moves = board_moves(b, s->variant), some = moves & root->among;
    struct pattern_view view;
    const struct reversi_node n = {&view, root->alpha, root->beta, root->depth,
                                   board_empties(b, s->variant)};
    assert(some && root->alpha < root->beta && root->depth <= n.empties);
    view_make(&s->eval->patterns, b, &view);
    s->nodes++;
    line->length = 0;
    return pvs_moves(s, &n, some, some == moves, line);
}
