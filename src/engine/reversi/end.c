// SPDX-License-Identifier: MIT
// Every node searches a window of width one. Far from the end moves that leave the opponent few
// replies come first, and the table is asked for the position and all that follow it; near it what
// counts is speed: moves in quadrants with an odd number of empty squares first, and no more.
#include "engine/reversi/end.h"

#include "engine/reversi/last.h"
#include "engine/reversi/stable.h"

enum {
    MEMO_FROM = 8, // empty squares from which positions are kept in the table
    SORT_FROM = 7, // and from which moves are sorted by the replies they leave
    ETC_FROM = 9,
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

static int solve(struct search *s, const struct board *b, int alpha, int empties, uint64_t odd);

// A value that the opponent's stable discs prove to be at most alpha, or VALUE_NONE.
static int cut_by_stability(const struct search *s, const struct board *b, int alpha, int empties) {
    if (alpha < s->squares - 4 * empties / 3 - 24) // cannot have many yet
        return VALUE_NONE;
    const int most = s->squares - 2 * bits_count(stable_discs(b->other, b->own, s->variant));
    return most <= alpha ? most : VALUE_NONE;
}

static int pass_or_end(struct search *s, const struct board *b, int alpha, int empties,
                       uint64_t odd) {
    const struct board passed = board_pass(b);
    if (!board_moves(&passed, s->variant))
        return search_final(s, b->own, b->other);
    return -solve(s, &passed, -alpha - 1, empties, odd);
}

static int solve_shallow(struct search *s, const struct board *b, int alpha, int empties,
                         uint64_t moves, uint64_t odd) {
    int best = -VALUE_NONE;
    for (uint64_t part = moves & odd, turn = 0; turn < 2; part = moves & ~odd, turn++)
        for (; part; part &= part - 1) {
            const int x = bits_first(part);
            const struct board next = board_play(b, x, board_flips(b, x));
            const int value =
                -solve(s, &next, -alpha - 1, empties - 1, odd ^ quadrants[last_quadrant(x)]);
            if (value > alpha)
                return value;
            best = value > best ? value : best;
        }
    return best;
}

static void order_choices(const struct search *s, uint64_t odd, int hinted, struct choice *list,
                          int count) {
    const uint64_t corners = UINT64_C(0x8100000000000081);
    for (int i = 0; i < count; i++) {
        struct choice *c = &list[i];
        const uint64_t replies = board_moves(&c->next, s->variant);
        c->order = 4 * (bits_count(replies) + bits_count(replies & corners)) -
                   (odd >> c->square & 1 ? 2 : 0);
        if (c->square == hinted)
            c->order = -1000;
    }
}

// Does the table prove one of the choices to be above alpha?
static int cut_by_memo(const struct search *s, const struct choice *list, int count, int alpha,
                       int empties) {
    for (int i = 0; i < count; i++) {
        struct entry e;
        if (memo_get(s->memo, board_hash(&list[i].next), &e) && e.depth == empties - 1 &&
            e.kind == CERTAIN && -e.upper > alpha)
            return -e.upper;
    }
    return VALUE_NONE;
}

static int solve_sorted(struct search *s, const struct board *b, int alpha, int empties,
                        uint64_t moves, uint64_t odd, int hinted, int *best_square) {
    struct choice list[CHOICES_MAX];
    const int count = choice_list(b, moves, list);
    int best = -VALUE_NONE;
    if (empties >= ETC_FROM) {
        const int known = cut_by_memo(s, list, count, alpha, empties);
        if (known != VALUE_NONE)
            return known;
    }
    order_choices(s, odd, hinted, list, count);
    for (int i = 0; i < count; i++) {
        choice_next(list + i, count - i);
        const int value = -solve(s, &list[i].next, -alpha - 1, empties - 1,
                                 odd ^ quadrants[last_quadrant(list[i].square)]);
        if (value > best) {
            best = value;
            *best_square = list[i].square;
            if (value > alpha)
                break;
        }
    }
    return best;
}

static int solve_kept(struct search *s, const struct board *b, int alpha, int empties,
                      uint64_t moves, uint64_t odd) {
    const uint64_t key = board_hash(b);
    struct entry e;
    int hinted = NO_SQUARE, best_square = NO_SQUARE;
    bool known = memo_get(s->memo, key, &e);
    if (known) {
        hinted = e.move;
        known = e.depth == empties && e.kind == CERTAIN;
        if (known && e.lower > alpha)
            return e.lower;
        if (known && e.upper <= alpha)
            return e.upper;
    }
    if (!known)
        e = (struct entry){
            .lower = -VALUE_MAX, .upper = VALUE_MAX, .depth = (uint8_t)empties, .kind = CERTAIN};
    const int best = solve_sorted(s, b, alpha, empties, moves, odd, hinted, &best_square);
    if (search_stopped(s))
        return best;
    if (best > alpha)
        e.lower = (int16_t)best;
    else
        e.upper = (int16_t)best;
    e.move = (uint16_t)best_square;
    memo_put(s->memo, key, e);
    return best;
}

static int solve(struct search *s, const struct board *b, int alpha, int empties, uint64_t odd) {
    if (empties == 4)
        return last_four(s, b->own, b->other, alpha, odd);
    s->nodes++;
    if (search_stopped(s))
        return alpha;
    const int cut = cut_by_stability(s, b, alpha, empties);
    if (cut != VALUE_NONE)
        return cut;
    const uint64_t moves = board_moves(b, s->variant);
    if (!moves)
        return pass_or_end(s, b, alpha, empties, odd);
    if (empties < SORT_FROM)
        return solve_shallow(s, b, alpha, empties, moves, odd);
    int unused;
    if (empties < MEMO_FROM)
        return solve_sorted(s, b, alpha, empties, moves, odd, NO_SQUARE, &unused);
    return solve_kept(s, b, alpha, empties, moves, odd);
}

// Fewer than four empty squares.
static int solve_few(struct search *s, const struct board *b, int alpha) {
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
        return last_three(s, b->own, b->other, alpha, bits_first(empty), bits_first(rest),
                          bits_first(least));
    }
}

int end_solve(struct search *s, const struct board *b, int alpha) {
    const uint64_t empty = board_empty(b, s->variant);
    const int empties = bits_count(empty);
    return empties < 4 ? solve_few(s, b, alpha) : solve(s, b, alpha, empties, odd_quadrants(empty));
}
