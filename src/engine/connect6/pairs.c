// SPDX-License-Identifier: MIT
// What the first stone changes for the second lies in the lines that they share. So the cells in
// sight of a first stone are looked up anew in that one line; elsewhere the threats of two stones
// add up. If a stone alone makes threats enough, the other may be any that builds something.
#include "engine/connect6/pairs.h"

#include <assert.h>
#include <string.h>

enum { THREE = 1 << 20 };

struct maker {
    const struct board6 *board;
    int player, wanted;
    struct cells done; // cells that have been a first stone
    struct cells seen; // cells that have been a second to the present first
    struct choices builders;
    struct stone_pairs *pairs;
};

static int threats_of(int kind) {
    static const uint8_t threats[SHAPE_COUNT] = {
        [SHAPE_THREAT] = 1, [SHAPE_DOUBLE] = 2, [SHAPE_TRIPLE] = 3, [SHAPE_SIX] = 3};
    return threats[kind_shape(kind)];
}

static int threats_at(const struct maker *m, int cell) {
    const uint32_t shapes = board_shapes(m->board, m->player, cell);
    return shape_count(shapes, SHAPE_THREAT) + 2 * shape_count(shapes, SHAPE_DOUBLE) +
           3 * shape_count(shapes, SHAPE_TRIPLE);
}

static bool loses(const struct maker *m, int cell) {
    return board_loses(m->board, m->player, cell);
}

// Behind all that are as good.
static void insert_pair(struct stone_pairs *p, struct stone_pair pair) {
    int at = 0, end = p->count;
    while (at < end) {
        const int middle = (at + end) / 2;
        if (p->list[middle].value < pair.value)
            end = middle;
        else
            at = middle + 1;
    }
    if (at == PAIRS_MAX)
        return;
    p->count += p->count < PAIRS_MAX;
    memmove(p->list + at + 1, p->list + at, (size_t)(p->count - at - 1) * sizeof *p->list);
    p->list[at] = pair;
}

static void add_pair(struct maker *m, int a, int b, int threats) {
    cells_add(&m->seen, b);
    if (threats < m->wanted)
        return;
    const int value = pairs_promise(m->board, m->player, a) +
                      pairs_promise(m->board, m->player, b) + (threats > 2 ? THREE : 0);
    insert_pair(m->pairs, (struct stone_pair){(int16_t)a, (int16_t)b, value, threats});
}

static bool may_follow(const struct maker *m, int cell) {
    return !cells_has(&m->done, cell) && !loses(m, cell);
}

// Threats of two stones in one line: those of the first, and of the second beside it.
static int join_threats(int first, int second, int apart) {
    const bool share = apart > -6 && apart < 6;
    return share ? (first > second ? first : second) : first + second;
}

// Second stones in one line with the first.
static void pair_in_line(struct maker *m, int a, int direction) {
    const struct board6 *b = m->board;
    const struct spot spot = b->spot[a][direction];
    const uint32_t mine = b->mine[m->player][spot.line] | 1u << spot.bit;
    const uint32_t stop = b->stop[m->player][spot.line];
    const uint8_t *kinds = b->kind[m->player][direction];
    const int here = threats_of(kinds[a]), across = threats_at(m, a) - here;
    uint32_t rest = board_sight(stop, spot.bit) & b->empty[spot.line];
    for (; rest; rest &= rest - 1) {
        const int bit = __builtin_ctz(rest), cell = board_cell(b, spot.line, bit);
        const int kind = lines_kind(b->lines, mine, stop, bit), both = threats_of(kind);
        if (!may_follow(m, cell) || (b->overline_loses && kind_shape(kind) == SHAPE_OVER))
            cells_add(&m->seen, cell);
        else if (both)
            add_pair(m, a, cell,
                     across + join_threats(here, both, bit - spot.bit) + threats_at(m, cell) -
                         threats_of(kinds[cell]));
    }
}

static void pair_elsewhere(struct maker *m, int a) {
    const struct cells *hot = &m->board->hot[m->player];
    const int threats = threats_at(m, a);
    for (int i = 0; i < BOARD_WORDS; i++)
        for (uint64_t rest = hot->word[i] & ~m->seen.word[i]; rest; rest &= rest - 1) {
            const int cell = i * 64 + __builtin_ctzll(rest);
            if (may_follow(m, cell))
                add_pair(m, a, cell, threats + threats_at(m, cell));
        }
}

static void pair_builders(struct maker *m, int a) {
    for (int i = 0; i < m->builders.count; i++) {
        const int cell = m->builders.cell[i];
        if (!cells_has(&m->seen, cell) && may_follow(m, cell))
            add_pair(m, a, cell, threats_at(m, a));
    }
}

// Can one stone more in this line make threats enough? The pairs where the second stone brings
// threats of its own are found with that one first.
static bool may_grow(const struct maker *m, int a, int direction, bool has_threats) {
    const enum shape shape = kind_shape(m->board->kind[m->player][direction][a]);
    return shape >= (has_threats || m->wanted == 1 ? SHAPE_DEAD3 : SHAPE_LIVE3);
}

static void pair_first(struct maker *m, int a) {
    const int threats = threats_at(m, a);
    memset(&m->seen, 0, sizeof m->seen);
    cells_add(&m->seen, a);
    for (int d = 0; d < DIRECTIONS; d++)
        if (may_grow(m, a, d, threats > 0))
            pair_in_line(m, a, d);
    if (threats)
        pair_elsewhere(m, a);
    if (threats >= m->wanted)
        pair_builders(m, a);
    cells_add(&m->done, a);
}

static void find_builders(struct maker *m) {
    const struct board6 *b = m->board;
    for (int i = 0; i < BOARD_WORDS; i++)
        for (uint64_t rest = b->empties.word[i]; rest; rest &= rest - 1) {
            const int cell = i * 64 + __builtin_ctzll(rest);
            if ((board_shapes(b, m->player, cell) & shapes_from(SHAPE_LIVE2)) && !loses(m, cell))
                choices_add(&m->builders, CHOICES_MAX, cell, pairs_promise(b, m->player, cell));
        }
}

void pairs_find(const struct board6 *b, int player, int threats, struct stone_pairs *pairs) {
    struct maker m = {.board = b, .player = player, .wanted = threats, .pairs = pairs};
    const uint32_t firsts = shapes_from(threats > 1 ? SHAPE_LIVE3 : SHAPE_DEAD3);
    int16_t first[BOARD_CELLS];
    int count = 0;
    assert(threats >= 1 && threats <= 3);
    bool enough = false; // a first stone alone
    pairs->count = 0;
    for (int i = 0; i < BOARD_WORDS; i++)
        for (uint64_t rest = b->warm[player].word[i]; rest; rest &= rest - 1) {
            const int cell = i * 64 + __builtin_ctzll(rest);
            if (!(board_shapes(b, player, cell) & firsts) || loses(&m, cell))
                continue;
            first[count++] = (int16_t)cell;
            enough = enough || threats_at(&m, cell) >= threats;
        }
    if (enough)
        find_builders(&m);
    for (int i = 0; i < count; i++)
        pair_first(&m, first[i]);
}
