// SPDX-License-Identifier: MIT
// Alpha-beta. Two plies or more before the leaves moves are sorted by the evaluation; one ply
// before them that would cost as much as the search itself, and the move that last refuted
// something there comes first instead.
#include "train/reversi/scout.h"

enum { SQUARES = 64 };

struct scout_child {
    struct view view;
    int score; // for the player who moved there
    int square;
};

struct scouting {
    const struct eval *eval;
    const struct variant *variant;
    int refutation; // the last one a ply before the leaves
};

static int list_children(const struct eval *eval, const struct view *from, uint64_t moves,
                         struct scout_child children[static SQUARES]) {
    int n = 0;
    for (; moves; moves &= moves - 1, n++) {
        struct scout_child *c = &children[n];
        c->square = bits_first(moves);
        eval_step(eval, from, c->square, board_flips(&from->board, c->square), &c->view);
        c->score = -eval_view_score(eval, &c->view);
    }
    return n;
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

static int search(struct scouting *s, const struct view *v, int depth, int alpha, int beta,
                  int *square);

// With no move: the other's turn, or the end.
static int search_passed(struct scouting *s, const struct view *v, int depth, int alpha, int beta) {
    const struct board passed = board_pass(&v->board);
    struct view view;
    if (!board_moves(&passed, s->variant))
        return board_margin(&v->board) * EVAL_DISC;
    eval_view(s->eval, &passed, &view);
    return -search(s, &view, depth, -beta, -alpha, NULL);
}

// One ply: the leaves are evaluated.
static int search_leaves(struct scouting *s, const struct view *v, uint64_t moves, int alpha,
                         int beta, int *square) {
    uint64_t first = moves & bit(s->refutation);
    int best = -EVAL_MOST - 1;
    for (moves ^= first; (first | moves) && best < beta; first = 0) {
        const int x = bits_first(first ? first : moves);
        struct view leaf;
        eval_step(s->eval, v, x, board_flips(&v->board, x), &leaf);
        const int score = -search(s, &leaf, 0, -beta, -alpha, NULL);
        moves = first ? moves : moves & (moves - 1);
        if (score > best) {
            best = score;
            if (square)
                *square = x;
            if (score >= beta)
                s->refutation = x;
        }
    }
    return best;
}

static int search_sorted(struct scouting *s, const struct view *v, uint64_t moves, int depth,
                         int alpha, int beta, int *square) {
    struct scout_child children[SQUARES];
    const int count = list_children(s->eval, v, moves, children);
    int best = -EVAL_MOST - 1;
    uint64_t taken = 0;
    for (const struct scout_child *c; best < beta && (c = pick(children, count, &taken));) {
        const int floor = best > alpha ? best : alpha;
        const bool first = best < -EVAL_MOST;
        int score = first ? beta : -search(s, &c->view, depth - 1, -floor - 1, -floor, NULL);
        if (first || (score > floor && score < beta))
            score = -search(s, &c->view, depth - 1, -beta, -floor, NULL);
        if (score > best) {
            best = score;
            if (square)
                *square = c->square;
        }
    }
    return best;
}

static int search(struct scouting *s, const struct view *v, int depth, int alpha, int beta,
                  int *square) {
    const uint64_t moves = board_moves(&v->board, s->variant);
    if (!moves)
        return search_passed(s, v, depth, alpha, beta);
    if (depth == 0)
        return eval_view_score(s->eval, v);
    if (depth == 1)
        return search_leaves(s, v, moves, alpha, beta, square);
    return search_sorted(s, v, moves, depth, alpha, beta, square);
}

int scout(const struct eval *eval, const struct variant *variant, const struct board *board,
          int depth, int *square) {
    struct scouting s = {.eval = eval, .variant = variant};
    struct view view;
    eval_view(eval, board, &view);
    return search(&s, &view, depth, -EVAL_MOST - 1, EVAL_MOST + 1, square);
}

int scout_moves(const struct eval *eval, const struct variant *variant, const struct board *board,
                int squares[static SQUARES], int scores[static SQUARES]) {
    struct scout_child children[SQUARES];
    struct view view;
    uint64_t taken = 0;
    eval_view(eval, board, &view);
    const int count = list_children(eval, &view, board_moves(board, variant), children);
    for (int i = 0; i < count; i++) {
        const struct scout_child *c = pick(children, count, &taken);
        squares[i] = c->square;
        scores[i] = c->score;
    }
    return count;
}
