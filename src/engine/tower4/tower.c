// SPDX-License-Identifier: MIT
// A drop touches the lines through its cell, nine of them on average. A line that comes to three
// stones of one colour with its last cell free makes that cell hot for the colour; the cell stays
// marked when it is taken, so that the count says how many lines the drop made, and undoing needs
// no memory.
#include "engine/tower4/tower.h"

#include <string.h>

static const uint8_t stone[2] = {LINE_BLACK, LINE_WHITE};

enum { D = KIND_DEAD };

// A line with stones of both, or four, is dead; most states are.
const uint8_t tower_kind[2][LINE_STATES] = {
    {0, 1, 2, 3, D, 4, D, D, D, D, 5, D, D, D, D, 6, D, D, D, D, D, D, D, D, D},
    {0, 4, 5, 6, D, 1, D, D, D, D, 2, D, D, D, D, 3, D, D, D, D, D, D, D, D, D},
};

void tower_init(struct tower *b, const struct lattice *l, const struct net *net) {
    *b = (struct tower){.lattice = l, .net = net, .left = l->pieces, .views = 1};
    for (int i = 0; i < l->lines; i++)
        b->rest[i] = l->cell[i][0] ^ l->cell[i][1] ^ l->cell[i][2] ^ l->cell[i][3];
}

static void mark(struct tower *b, int side, int cell) {
    b->threes[side][cell]++;
    b->marks[cell_column(cell)] |= (uint16_t)(1 << (2 * cell_layer(cell) + side));
    b->three[side][cell_layer(cell)] |= UINT32_C(1) << cell_column(cell);
}

static void unmark(struct tower *b, int side, int cell) {
    if (--b->threes[side][cell] > 0)
        return;
    b->three[side][cell_layer(cell)] &= ~(UINT32_C(1) << cell_column(cell));
    b->marks[cell_column(cell)] &= (uint16_t) ~(1 << (2 * cell_layer(cell) + side));
}

static void add(int16_t sums[static UNITS], const int16_t row[static UNITS]) {
    for (int unit = 0; unit < UNITS; unit++)
        sums[unit] = (int16_t)(sums[unit] + row[unit]);
}

// A piece comes or goes on top of a column.
static void turn_keys(struct tower *b, int side, int column) {
    const struct lattice *l = b->lattice;
    const uint64_t *keys = &l->key[side][b->height[column] * COLUMNS_MAX];
    for (int i = 0; i < b->views; i++)
        b->key[i] ^= keys[l->mirror[b->view[i]][column]];
}

int tower_drop(struct tower *b, int column) {
    const struct lattice *l = b->lattice;
    int16_t(*sums)[UNITS] = b->sums[b->played + 1];
    const int cell = tower_cell(b, column), side = b->side, made = b->threes[side][cell];
    const uint8_t more = stone[side], three = (uint8_t)(3 * more);
    memcpy(sums, b->sums[b->played], sizeof b->sums[0]);
    for (int i = 0; i < l->through_count[cell]; i++) {
        const int line = l->through[cell][i], kind = tower_kind[side][b->line[line]];
        b->rest[line] ^= (uint8_t)cell;
        b->line[line] += more;
        if (kind == KIND_DEAD)
            continue;
        add(sums[side], b->net->step[l->orbit[line]][kind][0]);
        add(sums[!side], b->net->step[l->orbit[line]][kind][1]);
        if (b->line[line] == three)
            mark(b, side, b->rest[line]);
    }
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

void tower_undo(struct tower *b, int column, int made) {
    const struct lattice *l = b->lattice;
    b->side = !b->side;
    b->lines -= made;
    b->left++;
    b->played--;
    b->height[column]--;
    const int cell = tower_cell(b, column), side = b->side;
    const uint8_t less = stone[side], three = (uint8_t)(3 * less);
    turn_keys(b, side, column);
    b->black[b->height[column]] &= ~(UINT32_C(1) << column);
    b->taken[b->height[column]] &= ~(UINT32_C(1) << column);
    for (int i = 0; i < l->through_count[cell]; i++) {
        const int line = l->through[cell][i];
        if (b->line[line] == three)
            unmark(b, side, b->rest[line]);
        b->line[line] -= less;
        b->rest[line] ^= (uint8_t)cell;
    }
}

// Drops a piece of a colour whoever is to move.
static void put(struct tower *b, int column, int side) {
    b->side = side;
    tower_drop(b, column);
}

// The text of a position: six rows parted by '/', columns by blanks, '#' and '.' for none, or the
// pieces from the bottom up; then the points, which do not concern us.
void tower_read(struct tower *b, const struct lattice *l, const struct net *net,
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

static bool shows_itself(const struct tower *b, int view) {
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

void tower_mirror(struct tower *b) {
    b->views = 0;
    for (int view = 0; view < MIRRORS; view++)
        if (shows_itself(b, view)) {
            b->view[b->views] = (uint8_t)view;
            b->key[b->views++] = b->key[0];
        }
}
