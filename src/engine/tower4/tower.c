// SPDX-License-Identifier: MIT
// A drop touches the lines through its cell, nine of them on average. A line that comes to three
// stones of one colour with its last cell free makes that cell hot for the colour; the cell stays
// marked when it is taken, so that the count says how many lines the drop made, and undoing needs
// no memory.
#include "engine/tower4/tower.h"

#include <assert.h>
#include <string.h>

void tower_init(struct tower_board *b, const struct lattice *l, const struct net *net) {
    *b = (struct tower_board){.lattice = l, .net = net, .left = l->pieces, .views = 1};
    for (int column = 0; column < l->columns; column++)
        for (int i = 0; i < l->through_count[column]; i++)
            b->open[l->through[column][i] / 4] |= (uint8_t)(1 << l->through[column][i] % 4);
}

static void mark(struct tower_board *b, int side, int cell) {
    b->threes[side][cell]++;
    b->marks[cell_column(cell)] |= (uint16_t)(1 << (2 * cell_layer(cell) + side));
    b->three[side][cell_layer(cell)] |= UINT32_C(1) << cell_column(cell);
}

static void unmark(struct tower_board *b, int side, int cell) {
    if (--b->threes[side][cell] > 0)
        return;
    b->three[side][cell_layer(cell)] &= ~(UINT32_C(1) << cell_column(cell));
    b->marks[cell_column(cell)] &= (uint16_t) ~(1 << (2 * cell_layer(cell) + side));
}

// A piece comes or goes on top of a column.
static void turn_keys(struct tower_board *b, int side, int column) {
    const struct lattice *l = b->lattice;
    const uint64_t *keys = &l->key[side][b->height[column] * COLUMNS_MAX];
    for (int i = 0; i < b->views; i++)
        b->key[i] ^= keys[l->mirror[b->view[i]][column]];
}

// The sums of two colours, the mover's first.
struct tower_pair {
    int16_t sums[2 * UNITS];
};

// A line that was of one kind, as the mover sees it, is now of another.
static inline void change(struct tower_pair *pair, const struct tower_board *b, int line, int was,
                          int is) {
    const int16_t(*rows)[2][UNITS] = b->net->line[b->lattice->orbit[line]];
    const int16_t *less = rows[was][0], *more = rows[is][0];
    for (int unit = 0; unit < 2 * UNITS; unit++)
        pair->sums[unit] = (int16_t)(pair->sums[unit] + more[unit] - less[unit]);
}

// Puts a stone of the mover on the lines through a cell.
static inline struct tower_pair fill_cell(struct tower_board *b, int cell, struct tower_pair pair) {
    const struct lattice *l = b->lattice;
    for (int i = 0; i < l->through_count[cell]; i++) {
        const int line = l->through[cell][i] / 4, place = l->through[cell][i] % 4;
        const int was = b->line[line], is = was | 1 << (place + 4 * b->side), open = b->open[line];
        const int kind = l->kind[b->side][was][open];
        b->line[line] = (uint8_t)is;
        if (kind == KIND_DEAD)
            continue;
        change(&pair, b, line, kind, l->kind[b->side][is][open]);
        if (l->lack[is] != LACKS_MORE)
            mark(b, b->side, l->cell[line][l->lack[is]]);
    }
    return pair;
}

// Nothing is free below a cell any more.
static inline struct tower_pair open_cell(struct tower_board *b, int cell, struct tower_pair pair) {
    const struct lattice *l = b->lattice;
    for (int i = 0; i < l->through_count[cell]; i++) {
        const int line = l->through[cell][i] / 4, place = l->through[cell][i] % 4;
        const uint8_t *kinds = l->kind[b->side][b->line[line]];
        const int was = b->open[line], is = was | 1 << place;
        b->open[line] = (uint8_t)is;
        if (kinds[was] != kinds[is])
            change(&pair, b, line, kinds[was], kinds[is]);
    }
    return pair;
}

// The sums after a drop of the mover.
static void keep_sums(struct tower_board *b, int cell) {
    const size_t size = sizeof b->sums[0][0];
    const int side = b->side;
    struct tower_pair pair;
    memcpy(pair.sums, b->sums[b->played][side], size);
    memcpy(pair.sums + UNITS, b->sums[b->played][!side], size);
    pair = fill_cell(b, cell, pair);
    if (cell + COLUMNS_MAX < CELLS)
        pair = open_cell(b, cell + COLUMNS_MAX, pair);
    memcpy(b->sums[b->played + 1][side], pair.sums, size);
    memcpy(b->sums[b->played + 1][!side], pair.sums + UNITS, size);
}

int tower_drop(struct tower_board *b, int column) {
    const int cell = tower_cell(b, column), side = b->side, made = b->threes[side][cell];
    keep_sums(b, cell);
    b->taken[b->height[column]] |= UINT32_C(1) << column;
    b->black[b->height[column]] |= (uint32_t)!side << column;
    turn_keys(b, side, column);
    b->height[column]++;
    b->played++;
    b->left--;
    b->lines += made;
    b->side = !side;
    return made;
}

static void close_cell(struct tower_board *b, int cell) {
    const struct lattice *l = b->lattice;
    for (int i = 0; i < l->through_count[cell]; i++)
        b->open[l->through[cell][i] / 4] &= (uint8_t) ~(1 << l->through[cell][i] % 4);
}

void tower_undo(struct tower_board *b, int column, int made) {
    const struct lattice *l = b->lattice;
    assert(b->height[column] > 0 && b->lines >= made);
    b->side = !b->side;
    b->lines -= made;
    b->left++;
    b->played--;
    b->height[column]--;
    const int cell = tower_cell(b, column), side = b->side;
    turn_keys(b, side, column);
    b->black[b->height[column]] &= ~(UINT32_C(1) << column);
    b->taken[b->height[column]] &= ~(UINT32_C(1) << column);
    for (int i = 0; i < l->through_count[cell]; i++) {
        const int line = l->through[cell][i] / 4, place = l->through[cell][i] % 4;
        const int now = b->line[line];
        b->line[line] = (uint8_t)(now & ~(1 << (place + 4 * side)));
        if (l->lack[now] != LACKS_MORE)
            unmark(b, side, l->cell[line][l->lack[now]]);
    }
    if (cell + COLUMNS_MAX < CELLS)
        close_cell(b, cell + COLUMNS_MAX);
}

// Drops a piece of a colour whoever is to move.
static void put(struct tower_board *b, int column, int side) {
    b->side = side;
    tower_drop(b, column);
}

// The text of a position: six rows separated by '/', columns by blanks, '#' and '.' for none, or
// the pieces from the bottom up; then the points, which do not concern us.
void tower_read(struct tower_board *b, const struct lattice *l, const struct net *net,
                const struct game *game, const void *state) {
    char text[STATE_TEXT_MAX];
    game->write_state(state, text);
    int at = 0;
    tower_init(b, l, net);
    for (const char *c = text; at < 36; c++) {
        const int column = l->column[at / 6 * 8 + at % 6];
        if (*c == 'X' || *c == 'O')
            put(b, column, *c == 'O');
        else
            at += *c == ' ' || *c == '/';
    }
    b->side = b->played % 2;
}

static bool shows_itself(const struct tower_board *b, int view) {
    const uint8_t *mirror = b->lattice->mirror[view];
    for (int column = 0; column < b->lattice->columns; column++) {
        const int other = mirror[column];
        for (int layer = 0; layer < LAYERS; layer++)
            if (((b->taken[layer] >> column ^ b->taken[layer] >> other) & 1) ||
                ((b->black[layer] >> column ^ b->black[layer] >> other) & 1))
                return false;
    }
    return true;
}

void tower_mirror(struct tower_board *b) {
    b->views = 0;
    for (int view = 0; view < MIRRORS; view++)
        if (shows_itself(b, view)) {
            b->view[b->views] = (uint8_t)view;
            b->key[b->views++] = b->key[0];
        }
}
