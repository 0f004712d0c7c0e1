// SPDX-License-Identifier: MIT
// Alpha-beta. Two plies or more before the leaves moves are sorted by the evaluation; one ply
// before them that would cost as much as the search itself, and the move that last refuted
// something there comes first instead.
#include "train/reversi/scout.h"

#include "engine/reversi/view.h"

enum { SQUARES = 64 };

struct scout_child {
    struct board next;
    uint64_t replies;
    int score; // for the player who moved there, by the evaluation
    int square;
};

struct scouting {
    const struct eval *eval;
    const struct variant *variant;
    int refutation; // the last one a ply before the leaves
};

// What a move leads to, evaluated without going there.
static struct scout_child child_of(const struct scouting *s, const struct pattern_view *from,
                                   int square) {
    const struct board next = board_play(&from->board, square, board_flips(&from->board, square));
    const uint64_t replies = board_moves(&next, s->variant);
    const int empties = board_empties(&next, s->variant);
    const int sum = view_sum_after(&s->eval->patterns, from, square, &next, replies,
                                   eval_weights(s->eval, empties));
    return (struct scout_child){next, replies, -eval_sum_score(s->eval, &next, empties, sum),
                                square};
}

static int list_children(const struct scouting *s, const struct pattern_view *from, uint64_t moves,
                         struct scout_child children[static SQUARES]) {
    int n = 0;
    for (; moves; moves &= moves - 1)
        children[n++] = child_of(s, from, bits_first(moves));
    return n;
}

static void go_to(const struct scouting *s, const struct pattern_view *from,
                  const struct scout_child *c, struct pattern_view *to) {
    view_step(&s->eval->patterns, from, c->square, c->next.own ^ from->board.other, to);
}

// The best of those not yet taken, or NULL; takes it.
static const struct scout_child *pick(struct scout_child *children, int count, uint64_t *taken) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (!(*taken >> i & 1) && (best < 0 || children[i].score > children[best].score))
            best = i;
    if (best < 0)
        return NULL;
    *taken |= bit(best);
    return &children[best];
}

// A position in the tree, and what is asked of it.
struct scout_node {
    const struct pattern_view *view;
    int depth, alpha, beta;
};

static int search(struct scouting *s, struct scout_node n, int *square);

// With no move: the other's turn, or the end.
static int search_passed(struct scouting *s, struct scout_node n) {
    const struct board passed = board_pass(&n.view->board);
    struct pattern_view view;
    if (!board_moves(&passed, s->variant))
        return board_margin(&n.view->board) * EVAL_DISC;
    view_make(&s->eval->patterns, &passed, &view);
    return -search(s, (struct scout_node){&view, n.depth, -n.beta, -n.alpha}, NULL);
}

// A leaf where the opponent has no move is searched on.
static int search_beyond(struct scouting *s, struct scout_node n, const struct scout_child *c) {
    struct pattern_view leaf;
    go_to(s, n.view, c, &leaf);
    return -search_passed(s, (struct scout_node){&leaf, 0, -n.beta, -n.alpha});
}

// One ply: the leaves are evaluated.
static int search_leaves(struct scouting *s, struct scout_node n, uint64_t moves, int *square) {
    uint64_t first = moves & bit(s->refutation);
    int best = -EVAL_MOST - 1;
    for (moves ^= first; (first | moves) && best < n.beta; first = 0) {
        const int x = bits_first(first ? first : moves);
        const struct scout_child c = child_of(s, n.view, x);
        const int score = c.replies ? c.score : search_beyond(s, n, &c);
        moves = first ? moves : moves & (moves - 1);
        if (score > best) {
            best = score;
            if (square)
                *square = x;
            if (score >= n.beta)
                s->refutation = x;
        }
    }
    return best;
}

static int search_sorted(struct scouting *s, struct scout_node n, uint64_t moves, int *square) {
    struct scout_child children[SQUARES];
    const int count = list_children(s, n.view, moves, children);
    struct pattern_view view;
    int best = -EVAL_MOST - 1;
    uint64_t taken = 0;
    for (const struct scout_child *c; best < n.beta && (c = pick(children, count, &taken));) {
        const int floor = best > n.alpha ? best : n.alpha;
        const bool first = best < -EVAL_MOST;
        go_to(s, n.view, c, &view);
        struct scout_node next = {&view, n.depth - 1, -floor - 1, -floor};
        int score = first ? n.beta : -search(s, next, NULL);
        next.alpha = -n.beta;
        if (first || (score > floor && score < n.beta))
            score = -search(s, next, NULL);
        if (score > best) {
            best = score;
            if (square)
                *square = c->square;
        }
    }
    return best;
}

static int search(struct scouting *s, struct scout_node n, int *square) {
    const uint64_t moves = board_moves(&n.view->board, s->variant);
    if (!moves)
        return search_passed(s, n);
    if (n.depth == 0)
        return eval_view_score(s->eval, n.view);
    return n.depth == 1 ? search_leaves(s, n, moves, square) : search_sorted(s, n, moves, square);
}

int scout(const struct eval *eval, const struct variant *variant, const struct board *board,
          int depth, int *square) {
    struct scouting s = {.eval = eval, .variant = variant};
    struct pattern_view view;
    view_make(&eval->patterns, board, &view);
    return search(&s, (struct scout_node){&view, depth, -EVAL_MOST - 1, EVAL_MOST + 1}, square);
}

int scout_moves(const struct eval *eval, const struct variant *variant, const struct board *board,
                int squares[static SQUARES], int scores[static SQUARES]) {
    const struct scouting s = {.eval = eval, .variant = variant};
    struct scout_child children[SQUARES];
    struct pattern_view view;
    uint64_t taken = 0;
    view_make(&eval->patterns, board, &view);
    const int count = list_children(&s, &view, board_moves(board, variant), children);
    for (int i = 0; i < count; i++) {
        const struct scout_child *c = pick(children, count, &taken);
        squares[i] = c->square;
        scores[i] = c->score;
    }
    return count;
}
