// SPDX-License-Identifier: MIT
// The last drop takes the cell that makes most lines. The last but one also decides what is left to
// the other: a drop cannot change which cells his lines lack, it can only take one of them, or open
// the one above.
#include "engine/tower4/ending.h"

#include "games/bits.h"

static int most(int a, int b) { return a > b ? a : b; }

int ending_one(const struct tower_board *t) {
    int lines = 0;
    for (uint32_t rest = tower_hot(t, t->side) & tower_columns(t); rest; rest &= rest - 1)
        lines = most(lines, t->threes[t->side][tower_cell(t, bits_first(rest))]);
    return tower_worth(t, lines);
}

// The most lines that a colour makes with one drop, in each of the columns but the best, and there.
struct best {
    int lines, column, second;
};

static struct best best_of(const struct tower_board *t, int side, uint32_t columns) {
    struct best best = {.column = -1};
    for (uint32_t rest = tower_hot(t, side) & columns; rest; rest &= rest - 1) {
        const int column = bits_first(rest), lines = t->threes[side][tower_cell(t, column)];
        if (lines > best.lines)
            best = (struct best){lines, column, best.lines};
        else
            best.second = most(best.second, lines);
    }
    return best;
}

int ending_two(const struct tower_board *t) {
    const uint32_t columns = tower_columns(t);
    const int16_t *worth = &t->lattice->worth[t->lines];
    const struct best his = best_of(t, !t->side, columns);
    int top = -worth[LINES_MAX - t->lines]; // below all there is
    for (uint32_t rest = columns; rest; rest &= rest - 1) {
        const int column = bits_first(rest), cell = tower_cell(t, column);
        const int own = t->threes[t->side][cell], above = cell + COLUMNS_MAX;
        int left = column == his.column ? his.second : his.lines;
        if (above < CELLS)
            left = most(left, t->threes[!t->side][above]);
        top = most(top, 2 * worth[own] - worth[own + left] - worth[0]);
    }
    return top;
}

// The columns of the free cells of a line; none if the game ends before some cell is reached.
static uint32_t free_columns(const struct tower_board *t, int line) {
    uint32_t columns = 0;
    for (int i = 0; i < 4; i++) {
        const int cell = t->lattice->cell[line][i], column = cell_column(cell);
        const int above = cell_layer(cell) - t->height[column];
        if (above >= t->left)
            return 0;
        if (above >= 0)
            columns |= UINT32_C(1) << column;
    }
    return columns;
}

uint32_t ending_columns(const struct tower_board *t) {
    // Stones that each needs on a line already, for his drops to complete it.
    const int own = 4 - (t->left + 1) / 2, other = 4 - t->left / 2;
    bool matters[STONES] = {[0] = own <= 0};
    uint32_t columns = 0;
    for (int stones = 1; stones <= 3; stones++) {
        matters[STONES_OWN + stones] = stones >= own;
        matters[STONES_OTHER + stones] = stones >= other;
    }
    for (int line = 0; line < t->lattice->lines; line++)
        if (matters[t->lattice->stones[t->side][t->line[line]]])
            columns |= free_columns(t, line);
    return columns & tower_columns(t);
}
