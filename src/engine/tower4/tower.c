// SPDX-License-Identifier: MIT
// A drop touches the lines through its cell, nine of them on average. A line that comes to three
// stones of one colour with its last cell free makes that cell hot for the colour; the cell stays
// marked when it is taken, so that the count says how many lines the drop made, and undoing needs
// no memory.
#include "engine/tower4/tower.h"

#include "engine/tower4/eval.h"

static const uint8_t stone[2] = {LINE_BLACK, LINE_WHITE};

void tower_init(struct tower *b, const struct lattice *l) {
    *b = (struct tower){.lattice = l, .left = l->pieces};
    for (int i = 0; i < l->lines; i++)
        b->rest[i] = l->cell[i][0] ^ l->cell[i][1] ^ l->cell[i][2] ^ l->cell[i][3];
}

static void mark(struct tower *b, int side, int cell) {
    b->threes[side][cell]++;
    b->three[side][cell_layer(cell)] |= UINT32_C(1) << cell_column(cell);
}

static void unmark(struct tower *b, int side, int cell) {
    if (--b->threes[side][cell] == 0)
        b->three[side][cell_layer(cell)] &= ~(UINT32_C(1) << cell_column(cell));
}

int tower_drop(struct tower *b, int column) {
    const struct lattice *l = b->lattice;
    const int cell = tower_cell(b, column), side = b->side, made = b->threes[side][cell];
    const uint8_t more = stone[side], three = (uint8_t)(3 * more);
    for (int i = 0; i < l->through_count[cell]; i++) {
        const int line = l->through[cell][i];
        b->rest[line] ^= (uint8_t)cell;
        b->sum -= tower_line_worth[b->line[line]];
        b->line[line] += more;
        b->sum += tower_line_worth[b->line[line]];
        if (b->line[line] == three)
            mark(b, side, b->rest[line]);
    }
    b->taken[b->height[column]] |= UINT32_C(1) << column;
    b->black[b->height[column]] |= (uint32_t)!side << column;
    b->key ^= l->key[side][cell];
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
    b->key ^= l->key[side][cell];
    b->black[b->height[column]] &= ~(UINT32_C(1) << column);
    b->taken[b->height[column]] &= ~(UINT32_C(1) << column);
    for (int i = 0; i < l->through_count[cell]; i++) {
        const int line = l->through[cell][i];
        if (b->line[line] == three)
            unmark(b, side, b->rest[line]);
        b->sum -= tower_line_worth[b->line[line]];
        b->line[line] -= less;
        b->sum += tower_line_worth[b->line[line]];
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
void tower_read(struct tower *b, const struct lattice *l, const struct game *game,
                const void *state) {
    char text[STATE_TEXT_MAX];
    game->write_state(state, text);
    int at = 0;
    tower_init(b, l);
    for (const char *c = text; at < 36; c++) {
        const int column = l->column[at / 6 * 8 + at % 6];
        if (*c == 'X' || *c == 'O')
            put(b, column, *c == 'O');
        else
            at += *c == ' ' || *c == '/';
    }
    b->side = b->played % 2;
}
