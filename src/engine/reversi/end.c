// SPDX-License-Identifier: MIT
// Every node searches a window of width one. Moves that leave the opponent few replies come first,
// and of these such in quadrants with an odd number of empty squares. Far from the end the table is
// asked for the position and all that follow it; near it a small one that stays in the cache.
//
// The last four empty squares have a function for each number of them. A value above `alpha` is at
// least what it should be, another at most. Squares come in the order to try: those in quadrants
// with an odd number of empty squares first, because who moves last in a region gains by it.
#include "engine/reversi/isa.h"

#include "engine/reversi/end.h"

#include "engine/reversi/stable.h"
#include "engine/reversi/tables.h"

enum {
    NOOK_FROM = 5, // empty squares from which positions are kept in the small table
    TT_FROM = 10,  // and from which in the large one
    ETC_FROM = 11, // from which that is asked for what follows
    FIRST = -1000, // the order of what comes first
};

// The quadrant of a square.
static inline int last_quadrant(int square) { return (square >> 4 & 2) | (square >> 2 & 1); }

static inline bool last_is_free(const struct reversi_search *s, int square) {
    return s->variant->free >> square & 1;
}

// The discs that turn, quickly zero if no neighbour can.
static inline uint64_t last_flips(uint64_t own, uint64_t other, int square) {
    return table_near[square] & other ? lines_flips(own, other, square) : 0;
}

static inline int last_one(const struct reversi_search *s, uint64_t own, int square) {
    const int discs = 2 * bits_count(own) - s->squares;
    const int turned = lines_count_last(own, square);
    if (turned || last_is_free(s, square))
        return discs + 2 * turned + 2;
    const uint64_t other = s->variant->squares & ~own & ~bit(square);
    const int lost = lines_count_last(other, square);
    return lost ? discs - 2 * lost : discs + 1 + (discs >= 0 ? s->spoils : -s->spoils);
}

// The value of a move to `x` that leaves `y` empty; VALUE_NONE if it is illegal.
static inline int last_try_two(const struct reversi_search *s, uint64_t own, uint64_t other, int x,
                               int y) {
    const uint64_t flips = last_flips(own, other, x);
    if (!flips && !last_is_free(s, x))
        return VALUE_NONE;
    return -last_one(s, other ^ flips, y);
}

static inline int last_two(struct reversi_search *s, uint64_t own, uint64_t other, int alpha, int x,
                           int y) {
    s->nodes++;
    const int first = last_try_two(s, own, other, x, y);
    if (first != VALUE_NONE && first > alpha)
        return first;
    const int second = last_try_two(s, own, other, y, x);
    if (second != VALUE_NONE)
        return first != VALUE_NONE && first > second ? first : second;
    if (first != VALUE_NONE)
        return first;
    const int third = last_try_two(s, other, own, x, y);
    if (third != VALUE_NONE && -third <= alpha)
        return -third;
    const int fourth = last_try_two(s, other, own, y, x);
    if (fourth != VALUE_NONE)
        return third != VALUE_NONE && third > fourth ? -third : -fourth;
    return third != VALUE_NONE ? -third : search_final(s, own, other);
}

// Three empty squares, in the order to try them.
struct last_squares {
    int x, y, z;
};

// Tries the first of three squares: true if that settles it.
static inline bool last_try_three(struct reversi_search *s, struct board b, int alpha,
                                  struct last_squares q, int *best) {
    const uint64_t flips = last_flips(b.own, b.other, q.x);
    if (!flips && !last_is_free(s, q.x))
        return false;
    const int value = -last_two(s, b.other ^ flips, b.own ^ flips ^ bit(q.x), -alpha - 1, q.y, q.z);
    *best = value > *best ? value : *best;
    return value > alpha;
}

// The best move on three squares; -VALUE_NONE if there is none.
static inline int last_moves_three(struct reversi_search *s, struct board b, int alpha,
                                   struct last_squares q) {
    int best = -VALUE_NONE;
    s->nodes++;
    if (!last_try_three(s, b, alpha, q, &best) &&
        !last_try_three(s, b, alpha, (struct last_squares){q.y, q.x, q.z}, &best))
        last_try_three(s, b, alpha, (struct last_squares){q.z, q.x, q.y}, &best);
    return best;
}

static inline int last_three(struct reversi_search *s, struct board b, int alpha,
                             struct last_squares q) {
    // Alone in its quadrant: first.
    if (last_quadrant(q.x) == last_quadrant(q.y))
        q = (struct last_squares){q.z, q.y, q.x};
    else if (last_quadrant(q.x) == last_quadrant(q.z))
        q = (struct last_squares){q.y, q.x, q.z};
    int best = last_moves_three(s, b, alpha, q);
    if (best > -VALUE_NONE)
        return best;
    best = last_moves_three(s, board_pass(&b), -alpha - 1, q);
    return best > -VALUE_NONE ? -best : search_final(s, b.own, b.other);
}

static inline int last_moves_four(struct reversi_search *s, uint64_t own, uint64_t other,
                                  uint64_t moves, int alpha, const int x[static 4]) {
    int best = -VALUE_NONE;
    s->nodes++;
    for (int i = 0; i < 4; i++) {
        if (!(moves >> x[i] & 1))
            continue;
        const uint64_t flips = lines_flips(own, other, x[i]);
        const struct board next = {other ^ flips, own ^ flips ^ bit(x[i])};
        const struct last_squares q = {x[i == 0], x[i <= 1 ? 2 : 1], x[i <= 2 ? 3 : 2]};
        const int value = -last_three(s, next, -alpha - 1, q);
        if (value > alpha)
            return value;
        best = value > best ? value : best;
    }
    return best;
}

// `moves` are the legal ones, `odd` the quadrants with an odd number of empty squares, as a set.
static inline int last_four(struct reversi_search *s, const struct board *b, uint64_t moves,
                            int alpha, uint64_t odd) {
    const uint64_t empty = board_empty(b, s->variant);
    int x[4], n = 0;
    for (uint64_t rest = empty & odd; rest; rest &= rest - 1)
        x[n++] = bits_first(rest);
    for (uint64_t rest = empty & ~odd; rest; rest &= rest - 1)
        x[n++] = bits_first(rest);
    if (moves)
        return last_moves_four(s, b->own, b->other, moves, alpha, x);
    const struct board passed = board_pass(b);
    moves = board_moves(&passed, s->variant);
    return moves ? -last_moves_four(s, b->other, b->own, moves, -alpha - 1, x)
                 : search_final(s, b->own, b->other);
}

// What a node is told by the one above.
struct end_node {
    uint64_t moves; // legal squares
    uint64_t key;   // of the board; from NOOK_FROM on
    uint64_t odd;   // the quadrants with an odd number of empty squares
    int empties;
};

static const uint64_t quadrants[4] = {UINT64_C(0x000000000f0f0f0f), UINT64_C(0x00000000f0f0f0f0),
                                      UINT64_C(0x0f0f0f0f00000000), UINT64_C(0xf0f0f0f000000000)};

// The quadrants with an odd number of empty squares.
static uint64_t odd_quadrants(uint64_t empty) {
    uint64_t odd = 0;
    for (int i = 0; i < 4; i++)
        odd |= bits_count(empty & quadrants[i]) % 2 ? quadrants[i] : 0;
    return odd;
}

static int solve(struct reversi_search *s, const struct board *b, const struct end_node *n,
                 int alpha);

// A value that the opponent's stable discs prove to be at most alpha, or VALUE_NONE.
static int cut_by_stability(const struct reversi_search *s, const struct board *b, int empties,
                            int alpha) {
    if (alpha < s->squares - 4 * empties / 3 - 24) // cannot have many yet
        return VALUE_NONE;
    const int most = s->squares - 2 * bits_count(stable_discs(b->other, b->own, s->variant));
    return most <= alpha ? most : VALUE_NONE;
}

static int pass_or_end(struct reversi_search *s, const struct board *b, const struct end_node *n,
                       int alpha) {
    const struct board passed = board_pass(b);
    struct end_node next = *n;
    next.moves = board_moves(&passed, s->variant);
    next.key = board_hash(&passed);
    return next.moves ? -solve(s, &passed, &next, -alpha - 1) : search_final(s, b->own, b->other);
}

static void prefetch(const struct reversi_search *s, const struct choice *list, int count,
                     int empties) {
    for (int i = 0; i < count; i++)
        if (empties > TT_FROM)
            tt_prefetch(s->tt, list[i].key);
        else
            __builtin_prefetch(&s->nooks[list[i].key >> (64 - NOOK_BITS)]);
}

static void rank_choices(const struct choice *list, int count, uint64_t odd, int hinted,
                         int *rank) {
    const uint64_t corners = UINT64_C(0x8100000000000081);
    for (int i = 0; i < count; i++) {
        const struct choice *c = &list[i];
        const int replies = bits_count(c->replies) + bits_count(c->replies & corners);
        const int order = c->square == hinted ? FIRST : 2 * replies - (int)(odd >> c->square & 1);
        rank[i] = order * CHOICES_MAX + i;
    }
}

// Does the table prove one of the choices to be above alpha? VALUE_NONE if not.
static int cut_by_tt(const struct reversi_search *s, const struct choice *list, int count,
                     int empties, int alpha) {
    struct tt_entry e;
    for (int i = 0; i < count; i++)
        if (tt_get(s->tt, list[i].key, &e) && e.depth == empties - 1 && e.kind == CERTAIN &&
            -e.upper > alpha)
            return -e.upper;
    return VALUE_NONE;
}

static int solve_moves(struct reversi_search *s, const struct board *b, const struct end_node *n,
                       int alpha, int hinted, int *best_square) {
    struct choice list[CHOICES_MAX];
    int rank[CHOICES_MAX], best = -VALUE_NONE;
    const int count = choice_list(b, s->variant, n->moves, n->empties > NOOK_FROM, list);
    if (n->empties > NOOK_FROM)
        prefetch(s, list, count, n->empties);
    if (n->empties >= ETC_FROM &&
        (best = cut_by_tt(s, list, count, n->empties, alpha)) != VALUE_NONE)
        return best;
    best = -VALUE_NONE;
    rank_choices(list, count, n->odd, hinted, rank);
    for (int i = 0; i < count && best <= alpha; i++) {
        const struct choice *c = &list[choice_next(rank + i, count - i)];
        const struct end_node next = {.moves = c->replies,
                                      .key = c->key,
                                      .odd = n->odd ^ quadrants[last_quadrant(c->square)],
                                      .empties = n->empties - 1};
        const int value = -solve(s, &c->next, &next, -alpha - 1);
        if (value > best) {
            best = value;
            *best_square = c->square;
        }
    }
    return best;
}

// Five empty squares: moves are not sorted by replies any more, but by the parity of their
// quadrants.
static int solve_five(struct reversi_search *s, const struct board *b, const struct end_node *n,
                      int alpha, int *best_square) {
    int best = -VALUE_NONE;
    const uint64_t parts[2] = {n->moves & n->odd, n->moves & ~n->odd};
    for (int i = 0; i < 2; i++)
        for (uint64_t rest = parts[i]; rest && best <= alpha; rest &= rest - 1) {
            const int x = bits_first(rest);
            const struct board next = board_play(b, x, board_flips(b, x));
            const int value = -last_four(s, &next, board_moves(&next, s->variant), -alpha - 1,
                                         n->odd ^ quadrants[last_quadrant(x)]);
            if (value > best) {
                best = value;
                *best_square = x;
            }
        }
    return best;
}

static int solve_in_nook(struct reversi_search *s, const struct board *b, const struct end_node *n,
                         int alpha) {
    struct nook *e = &s->nooks[n->key >> (64 - NOOK_BITS)];
    int lower = -VALUE_MAX, upper = VALUE_MAX, square = NO_SQUARE;
    if (e->board.own == b->own && e->board.other == b->other) {
        lower = e->lower;
        upper = e->upper;
        square = e->square;
        if (lower > alpha)
            return lower;
        if (upper <= alpha)
            return upper;
    }
    const int best = n->empties == 5 ? solve_five(s, b, n, alpha, &square)
                                     : solve_moves(s, b, n, alpha, square, &square);
    if (search_stopped(s))
        return best;
    e->board = *b;
    e->lower = (int8_t)(best > alpha ? best : lower);
    e->upper = (int8_t)(best > alpha ? upper : best);
    e->square = (int8_t)square;
    return best;
}

static int solve_in_tt(struct reversi_search *s, const struct board *b, const struct end_node *n,
                       int alpha) {
    struct tt_entry e;
    int hinted = NO_SQUARE, square = NO_SQUARE;
    bool known = tt_get(s->tt, n->key, &e);
    if (known) {
        hinted = e.move;
        known = e.depth == n->empties && e.kind == CERTAIN;
        if (known && e.lower > alpha)
            return e.lower;
        if (known && e.upper <= alpha)
            return e.upper;
    }
    if (!known)
        e = (struct tt_entry){
            .lower = -VALUE_MAX, .upper = VALUE_MAX, .depth = (uint8_t)n->empties, .kind = CERTAIN};
    const int best = solve_moves(s, b, n, alpha, hinted, &square);
    *(best > alpha ? &e.lower : &e.upper) = (int16_t)best;
    e.move = (uint16_t)square;
    if (!search_stopped(s))
        tt_put(s->tt, n->key, e);
    return best;
}

static int solve(struct reversi_search *s, const struct board *b, const struct end_node *n,
                 int alpha) {
    if (n->empties == 4)
        return last_four(s, b, n->moves, alpha, n->odd);
    s->nodes++;
    if (search_stopped(s))
        return alpha;
    if (!n->moves)
        return pass_or_end(s, b, n, alpha);
    const int cut = cut_by_stability(s, b, n->empties, alpha);
    if (cut != VALUE_NONE)
        return cut;
    return n->empties < TT_FROM ? solve_in_nook(s, b, n, alpha) : solve_in_tt(s, b, n, alpha);
}

// Fewer than four empty squares.
static int solve_few(struct reversi_search *s, const struct board *b, int alpha) {
    const uint64_t empty = board_empty(b, s->variant);
    const uint64_t rest = empty & (empty - 1), least = rest & (rest - 1);
    switch (bits_count(empty)) {
    case 0:
        return search_final(s, b->own, b->other);
    case 1:
        return last_one(s, b->own, bits_first(empty));
    case 2:
        return last_two(s, b->own, b->other, alpha, bits_first(empty), bits_first(rest));
    default:
        return last_three(
            s, *b, alpha,
            (struct last_squares){bits_first(empty), bits_first(rest), bits_first(least)});
    }
}

int end_solve(struct reversi_search *s, const struct board *b, int alpha) {
    const uint64_t empty = board_empty(b, s->variant);
    if (bits_count(empty) < 4)
        return solve_few(s, b, alpha);
    return solve(s, b,
                 &(struct end_node){.moves = board_moves(b, s->variant),
                                    .key = board_hash(b),
                                    .odd = odd_quadrants(empty),
                                    .empties = bits_count(empty)},
                 alpha);
}
