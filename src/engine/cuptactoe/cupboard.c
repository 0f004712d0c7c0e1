// SPDX-License-Identifier: MIT
// A move takes a cup, from the hand or from the top of a cell, and puts it down where no cup of its
// size or a larger one lies. Taking comes first: what it uncovers is the same wherever the cup goes
// then, and if that is a line of the opponent, all these moves lose. So a position is at most six
// cups to take, each with the cells open to it, and lines are looked up by the nine bits of what a
// player shows.
#include "engine/cuptactoe/cupboard.h"

#include "games/bits.h"

#include <string.h>

void threes_init(struct threes *threes) {
    for (unsigned cells = 0; cells <= CUPS_BOARD; cells++) {
        threes->completing[cells] = cups_has_line(cells) ? LINE_THERE : 0;
        for (int cell = 0; cell < CUPS_CELLS; cell++)
            if (!(cells >> cell & 1) && cups_has_line(cells | (unsigned)bit(cell)))
                threes->completing[cells] |= (uint16_t)bit(cell);
    }
}

struct cupboard cupboard_of(const struct cups *state) {
    const int mover = state->turns % 2;
    struct cupboard b;
    memcpy(b.own, state->cup[mover], sizeof b.own);
    memcpy(b.other, state->cup[1 - mover], sizeof b.other);
    return b;
}

struct cupboard cupboard_swapped(const struct cupboard *b) {
    struct cupboard swapped;
    memcpy(swapped.own, b->other, sizeof swapped.own);
    memcpy(swapped.other, b->own, sizeof swapped.other);
    return swapped;
}

// What is seen and where cups can go.
struct cup_look {
    unsigned closed[CUPS_SIZES + 1]; // cells with a cup of this size or a larger one
    unsigned own, other;             // seen cups
};

static struct cup_look look_at(const struct cupboard *b) {
    struct cup_look l = {.own = 0};
    for (int size = CUPS_SIZES - 1; size >= 0; size--) {
        l.own |= b->own[size] & ~l.closed[size + 1];
        l.other |= b->other[size] & ~l.closed[size + 1];
        l.closed[size] = l.closed[size + 1] | b->own[size] | b->other[size];
    }
    return l;
}

// The seen cups of a player when the top cup of this size is lifted from a cell: what lies below
// comes into sight.
static unsigned seen_without(const uint16_t cups[static CUPS_SIZES],
                             const uint16_t others[static CUPS_SIZES], unsigned seen, int size,
                             unsigned cell) {
    while (--size >= 0) {
        if (cups[size] & cell)
            return seen | cell;
        if (others[size] & cell)
            break;
    }
    return seen & ~cell;
}

struct taken {
    int size, source;
    unsigned to;         // cells open to it
    unsigned own, other; // seen cups without it
};

// Cups that can be taken, by the order of their moves.
static int list_taken(const struct cupboard *b,
                      struct taken list[static CUPS_SIZES * (1 + CUPS_EACH)]) {
    const struct cup_look l = look_at(b);
    int count = 0;
    for (int size = 0; size < CUPS_SIZES; size++)
        if (bits_count(b->own[size]) < CUPS_EACH)
            list[count++] =
                (struct taken){size, size, CUPS_BOARD & ~l.closed[size], l.own, l.other};
    for (unsigned from = l.own; from; from &= from - 1) {
        const unsigned cell = from & -from;
        const int size = b->own[2] & cell ? 2 : b->own[1] & cell ? 1 : 0;
        list[count++] =
            (struct taken){size, CUPS_SIZES + bits_first(cell), CUPS_BOARD & ~l.closed[size],
                           seen_without(b->own, b->other, l.own, size, cell),
                           seen_without(b->other, b->own, l.other, size, cell)};
    }
    return count;
}

static bool is_lost(const struct taken *t, const struct threes *threes) {
    return threes->completing[t->other] & LINE_THERE;
}

static int put_down(const struct cupboard *b, const struct taken *t, const struct threes *threes,
                    struct cup_step *steps) {
    const bool lost = is_lost(t, threes);
    struct cupboard air = cupboard_swapped(b);
    int count = 0;
    if (t->source >= CUPS_SIZES)
        air.other[t->size] &= (uint16_t)~bit(t->source - CUPS_SIZES);
    for (unsigned to = t->to; to; to &= to - 1) {
        struct cup_step *s = &steps[count++];
        const unsigned cell = to & -to;
        s->next = air;
        s->next.other[t->size] |= (uint16_t)cell;
        s->move = (move)(t->source * CUPS_CELLS + bits_first(cell));
        s->end = lost                                             ? STEP_LIFT
                 : threes->completing[t->own | cell] & LINE_THERE ? STEP_LINE
                                                                  : STEP_ON;
    }
    return count;
}

int cupboard_steps(const struct cupboard *b, const struct threes *threes,
                   struct cup_step steps[static STEPS_MAX]) {
    struct taken taken[CUPS_SIZES * (1 + CUPS_EACH)];
    const int taken_count = list_taken(b, taken);
    int count = 0;
    for (int i = 0; i < taken_count; i++)
        count += put_down(b, &taken[i], threes, steps + count);
    return count;
}

bool cupboard_wins_now(const struct cupboard *b, const struct threes *threes) {
    struct taken taken[CUPS_SIZES * (1 + CUPS_EACH)];
    const int count = list_taken(b, taken);
    for (int i = 0; i < count; i++)
        if (threes->completing[taken[i].own] & taken[i].to && !is_lost(&taken[i], threes))
            return true;
    return false;
}

bool cupboard_must_lift(const struct cupboard *b, const struct threes *threes) {
    struct taken taken[CUPS_SIZES * (1 + CUPS_EACH)];
    const int count = list_taken(b, taken);
    for (int i = 0; i < count; i++)
        if (taken[i].to && !is_lost(&taken[i], threes))
            return false;
    return true;
}
