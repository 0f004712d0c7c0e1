// SPDX-License-Identifier: MIT
// The full pass over the solved game. Every value must be the best that a move of its position
// leads to, by one ply: then a win has a move to a loss one ply sooner and none to a sooner one, a
// loss has only moves to wins, the longest last, and where nobody wins a move keeps it so and none
// wins. By induction over the plies such values are right, if the ends are; and from what remains
// neither player can be forced to leave.
//
// The work is done on bytes, a row at a time: a grid of [own small set][other small set] holds how
// good each position is to have moved to, and the maximum is taken over all moves. It shares the
// numbers of positions with the solver, nothing else.
#include "engine/cuptactoe/retro.h"
#include "engine/share.h"

#include "games/bits.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum {
    WIDTH = 48,       // of a grid: SETS, rounded up
    RANK_NONE = 0,    // no move
    RANK_LIFT = 1,    // lost in one ply
    RANK_NEVER = 128, // below it n: lost in n plies
    RANK_WON = 255,   // less n: won in n plies
};

typedef uint8_t grid[SETS][WIDTH];

struct check {
    const struct atlas *atlas;
    const int8_t *values;
    int shape;
    uint8_t after[256]; // rank of having moved to a position, by its value as an unsigned byte
    uint8_t here[256];  // rank of a position itself
    _Atomic uint64_t wrong;
};

static int rank_of(int plies) {
    return plies == 0 ? RANK_NEVER : plies > 0 ? RANK_WON - plies : -plies;
}

static void fill_ranks(struct check *c) {
    for (int value = -128; value < 128; value++) {
        const int later = value == VALUE_LOST ? 1 : value < 0 ? 1 - value : value ? -1 - value : 0;
        c->here[(uint8_t)value] = (uint8_t)rank_of(value);
        c->after[(uint8_t)value] = (uint8_t)(value == VALUE_WON ? RANK_NONE : rank_of(later));
    }
}

static unsigned seen_cells(const struct cupboard *b, const uint16_t cups[static CUPS_SIZES]) {
    const unsigned large = b->own[2] | b->other[2], medium = b->own[1] | b->other[1];
    return cups[2] | (cups[1] & ~large) | (cups[0] & ~(large | medium));
}

// The small sets of the opponent that give him a line on this board.
static void mark_lines(const struct atlas *a, struct cupboard b, bool marks[static SETS]) {
    for (int set = 0; set < SETS; set++) {
        b.other[0] = a->cells[set];
        marks[set] = cups_has_line(seen_cells(&b, b.other));
    }
}

// How good it is to have moved to this board, whatever the small cups. Sets that share a cell are
// left as they are.
static void fill_grid(const struct check *c, const struct cupboard *b, grid out) {
    const struct atlas *a = c->atlas;
    const int large = a->layer[a->set[b->other[2]]][a->set[b->own[2]]];
    const int medium = a->layer[a->set[b->own[1]]][a->set[b->other[1]]];
    const uint16_t *flipped = a->flipped[a->turn[large]];
    const int8_t *values =
        c->values + ((size_t)a->shape[large] * LAYERS + flipped[medium]) * LAYERS;
    for (int own = 0; own < SETS; own++)
        for (int k = a->first[own]; k < a->first[own + 1]; k++)
            out[own][a->other[k]] = c->after[(uint8_t)values[flipped[k]]];
}

static void raise(uint8_t *restrict best, const uint8_t *restrict rank) {
    for (int i = 0; i < WIDTH; i++)
        best[i] = best[i] > rank[i] ? best[i] : rank[i];
}

static void raise_unless(grid best, grid rank, const bool lost[static SETS]) {
    for (int other = 0; other < SETS; other++)
        if (lost[other])
            for (int own = 0; own < SETS; own++)
                rank[own][other] = RANK_LIFT;
    for (int own = 0; own < SETS; own++)
        raise(best[own], rank[own]);
}

// All moves of a cup of this size, large or medium, taken so that `left` remain.
static void put_down(const struct check *c, struct cupboard b, int size, unsigned left, grid best) {
    unsigned closed = 0;
    bool lost[SETS];
    grid rank = {{RANK_NONE}};
    for (int larger = size; larger < CUPS_SIZES; larger++)
        closed |= b.own[larger] | b.other[larger];
    b.own[size] = (uint16_t)left;
    mark_lines(c->atlas, b, lost);
    for (int cell = 0; cell < CUPS_CELLS; cell++)
        if (!(closed >> cell & 1)) {
            b.own[size] = (uint16_t)(left | bit(cell));
            fill_grid(c, &b, rank);
            raise_unless(best, rank, lost);
        }
}

static void move_large_and_medium(const struct check *c, const struct cupboard *b, grid best) {
    for (int size = 1; size < CUPS_SIZES; size++) {
        const unsigned covered = size == 1 ? b->own[2] | b->other[2] : 0;
        if (bits_count(b->own[size]) < CUPS_EACH)
            put_down(c, *b, size, b->own[size], best);
        for (int cell = 0; cell < CUPS_CELLS; cell++)
            if ((b->own[size] & ~covered) >> cell & 1)
                put_down(c, *b, size, b->own[size] & ~(unsigned)bit(cell), best);
    }
}

// Moves of small cups, from a set of them to those that differ by one cup added or moved.
static void move_small(const struct check *c, const struct cupboard *b, grid best) {
    const struct atlas *a = c->atlas;
    const unsigned bare = CUPS_BOARD & ~(b->own[1] | b->other[1] | b->own[2] | b->other[2]);
    grid rank = {{RANK_NONE}};
    fill_grid(c, b, rank);
    for (int from = 0; from < SETS; from++)
        for (int to = 0; to < SETS; to++) {
            const unsigned gone = a->cells[from] & ~a->cells[to];
            const unsigned come = a->cells[to] & ~a->cells[from];
            if (bits_count(come) == 1 && bits_count(gone) <= 1 && !((come | gone) & ~bare))
                raise(best[from], rank[to]);
        }
}

static int right_end(const bool *own_line, const bool *other_line, int own, int other) {
    return other_line[other] ? VALUE_LOST : own_line[own] ? VALUE_WON : VALUE_NEVER;
}

static int count_wrong(const struct check *c, const struct cupboard *b, int medium, grid best) {
    const struct atlas *a = c->atlas;
    const int8_t *values = c->values + ((size_t)c->shape * LAYERS + (size_t)medium) * LAYERS;
    const struct cupboard seen_by_other = cupboard_swapped(b);
    bool own_line[SETS], other_line[SETS];
    int wrong = 0;
    mark_lines(a, seen_by_other, own_line);
    mark_lines(a, *b, other_line);
    for (int k = 0; k < LAYERS; k++) {
        const int own = a->own[k], other = a->other[k];
        const int end = right_end(own_line, other_line, own, other);
        const bool is_end = values[k] == VALUE_LOST || values[k] == VALUE_WON;
        wrong += end || is_end ? values[k] != end : best[own][other] != c->here[(uint8_t)values[k]];
    }
    return wrong;
}

static void retro_check_row(void *job, int medium) {
    struct check *c = job;
    const struct atlas *a = c->atlas;
    const int large = a->layer_of_shape[c->shape];
    const struct cupboard board = {
        .own = {0, a->cells[a->own[medium]], a->cells[a->own[large]]},
        .other = {0, a->cells[a->other[medium]], a->cells[a->other[large]]},
    };
    grid best = {{RANK_NONE}};
    move_large_and_medium(c, &board, best);
    move_small(c, &board, best);
    const int wrong = count_wrong(c, &board, medium, best);
    if (wrong)
        atomic_fetch_add(&c->wrong, (uint64_t)wrong);
}

uint64_t retro_check(const struct atlas *atlas, const int8_t *values, int threads,
                     const struct progress *progress) {
    struct check c = {.atlas = atlas, .values = values};
    fill_ranks(&c);
    for (c.shape = 0; c.shape < SHAPES; c.shape++) {
        share_run(threads, LAYERS, 16, retro_check_row, &c);
        progress->share(progress->context, "checking", (c.shape + 1) / (double)SHAPES);
    }
    return atomic_load(&c.wrong);
}
