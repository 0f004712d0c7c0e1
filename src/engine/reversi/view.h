// SPDX-License-Identifier: MIT
// The evaluation in steps, for a search: inline, so that it is compiled for the same CPU.
#pragma once

#include "engine/reversi/pattern.h"

#include <string.h>

// Tables of counts, one after the other.
enum {
    EMPTIES = 0, // empty squares
    EMPTIES_SIZE = 64,
    TEMPO = EMPTIES + EMPTIES_SIZE, // free empty squares and the others, those modulo 4
    FREE_MAX = 40,
    TEMPO_SIZE = 4 * FREE_MAX,
    MOVES = TEMPO + TEMPO_SIZE, // of both players, where a move must turn; free squares up to 3
    MOVES_MAX = 32,
    MOVES_SIZE = 4 * MOVES_MAX * MOVES_MAX,
    ODD = MOVES + MOVES_SIZE, // quarters with an odd number of empty squares
    ODD_SIZE = 8,
    COUNTS_SIZE = ODD + ODD_SIZE,
};

static inline uint32_t view_least(int a, int b) { return (uint32_t)(a < b ? a : b); }

// The entries of the tables of counts, from the squares that are empty and those of them where
// either player would turn a disc.
static inline void view_counts(const struct patterns *p, uint64_t empty, uint64_t own_turning,
                               uint64_t turning, uint32_t out[static COUNTS]) {
    static const uint64_t quarter = UINT64_C(0x0f0f0f0f);
    const uint64_t bound = empty & ~p->variant.free;
    const int free = bits_count(empty) - bits_count(bound), others = bits_count(bound);
    const uint32_t own_moves = view_least(bits_count(own_turning & bound), MOVES_MAX - 1),
                   moves = view_least(bits_count(turning & bound), MOVES_MAX - 1);
    int odd = 0;
    for (int i = 0; i < 4; i++)
        odd += bits_count(empty >> (i / 2 * 32 + i % 2 * 4) & quarter) & 1;
    out[0] = p->counts_begin + EMPTIES + (uint32_t)(free + others);
    out[1] = p->counts_begin + TEMPO + (uint32_t)(free * 4 + others % 4);
    out[2] =
        p->counts_begin + MOVES + (view_least(free, 3) * MOVES_MAX + own_moves) * MOVES_MAX + moves;
    out[3] = p->counts_begin + ODD + (uint32_t)odd;
}

// Lanes that are added at once.
typedef uint16_t view_lanes __attribute__((vector_size(32)));
enum { VIEW_PARTS = PLACES_MAX * sizeof(uint16_t) / sizeof(view_lanes) };

// Adds what a small set of squares adds to the states of all places.
static inline void view_add_set(const struct patterns *p, uint64_t set,
                                view_lanes to[static VIEW_PARTS]) {
    for (int i = 0; set; i++, set >>= 4) {
        const int skip = bits_first(set) / 4;
        i += skip;
        set >>= 4 * skip;
        const view_lanes *of = (const view_lanes *)p->digits[i][set & 15];
        for (int k = 0; k < VIEW_PARTS; k++)
            to[k] += of[k];
    }
}

static inline void view_make(const struct patterns *p, const struct board *b,
                             struct pattern_view *view) {
    view_lanes own[VIEW_PARTS] = {{0}}, other[VIEW_PARTS] = {{0}};
    view_add_set(p, b->own, own);
    view_add_set(p, b->other, other);
    view->board = *b;
    memcpy(view->own, own, sizeof own);
    memcpy(view->other, other, sizeof other);
}

// What the opponent sees after a move that turns `flips`.
static inline void view_step(const struct patterns *p, const struct pattern_view *from, int square,
                             uint64_t flips, struct pattern_view *to) {
    const view_lanes *own = (const view_lanes *)from->own, *other = (const view_lanes *)from->other,
                     *disc = (const view_lanes *)p->digits[square / 4][1 << square % 4];
    view_lanes *new_own = (view_lanes *)to->own, *new_other = (view_lanes *)to->other;
    view_lanes turned[VIEW_PARTS] = {{0}};
    view_add_set(p, flips, turned);
    to->board = board_play(&from->board, square, flips);
    for (int k = 0; k < VIEW_PARTS; k++) {
        const view_lanes left = other[k] - turned[k], grown = own[k] + turned[k] + disc[k];
        new_own[k] = left;
        new_other[k] = grown;
    }
}

static inline void view_pass(const struct pattern_view *from, struct pattern_view *to) {
    to->board = board_pass(&from->board);
    memcpy(to->own, from->other, sizeof from->other);
    memcpy(to->other, from->own, sizeof from->own);
}

// The states of all places as the player to move sees them.
static inline void view_states(const struct pattern_view *view,
                               uint16_t states[static PLACES_MAX]) {
    const view_lanes *own = (const view_lanes *)view->own, *other = (const view_lanes *)view->other;
    for (int k = 0; k < VIEW_PARTS; k++) {
        const view_lanes both = own[k] + other[k] + other[k];
        memcpy(states + k * (int)(sizeof both / sizeof *states), &both, sizeof both);
    }
}

// And as the opponent sees them after a move: what was own is the other's there, and what turns
// counts one more.
static inline void view_states_after(const struct patterns *p, const struct pattern_view *view,
                                     int square, uint64_t flips,
                                     uint16_t states[static PLACES_MAX]) {
    const view_lanes *own = (const view_lanes *)view->own, *other = (const view_lanes *)view->other,
                     *disc = (const view_lanes *)p->digits[square / 4][1 << square % 4];
    view_lanes turned[VIEW_PARTS] = {{0}};
    view_add_set(p, flips, turned);
    for (int k = 0; k < VIEW_PARTS; k++) {
        const view_lanes grown = own[k] + disc[k];
        const view_lanes both = other[k] + turned[k] + grown + grown;
        memcpy(states + k * (int)(sizeof both / sizeof *states), &both, sizeof both);
    }
}

static inline int view_sum_states(const struct patterns *p, const uint16_t states[PLACES_MAX],
                                  const uint32_t counts[static COUNTS], const int16_t *all) {
    int sum = 0, i = 0;
    for (; i < p->fours; i += 4) {
        const int16_t *of = all + p->begins[i];
        sum += of[states[i]] + of[states[i + 1]] + of[states[i + 2]] + of[states[i + 3]];
    }
    for (; i < p->places; i++)
        sum += all[p->begins[i] + states[i]];
    for (i = 0; i < COUNTS; i++)
        sum += all[counts[i]];
    return sum;
}

// The sum of the weights that count for a view.
static inline int view_sum(const struct patterns *p, const struct pattern_view *view,
                           const int16_t *all) {
    const struct board *b = &view->board, passed = board_pass(b);
    const uint64_t empty = board_empty(b, &p->variant);
    uint16_t states[PLACES_MAX];
    uint32_t counts[COUNTS];
    view_states(view, states);
    view_counts(p, empty, board_turning(b, empty), board_turning(&passed, empty), counts);
    return view_sum_states(p, states, counts, all);
}

// The same for the opponent after a move to `next`, where he has these legal squares.
static inline int view_sum_after(const struct patterns *p, const struct pattern_view *view,
                                 int square, const struct board *next, uint64_t replies,
                                 const int16_t *all) {
    const struct board passed = board_pass(next);
    const uint64_t empty = board_empty(next, &p->variant);
    uint16_t states[PLACES_MAX];
    uint32_t counts[COUNTS];
    view_states_after(p, view, square, next->own ^ view->board.other, states);
    view_counts(p, empty, replies, board_turning(&passed, empty), counts);
    return view_sum_states(p, states, counts, all);
}
