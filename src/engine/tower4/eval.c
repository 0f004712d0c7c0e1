// SPDX-License-Identifier: MIT
// The sums of the lines' rows are kept up to date by every drop; only the rows of columns that some
// line waits in, of the pieces left and of the lines made are added here.
#include "engine/tower4/eval.h"

#include "games/bits.h"

#include <string.h>

int tower_stage(const struct tower_board *b) {
    return (b->left < LEFT_MAX ? b->left : LEFT_MAX) * (STAGES - 1) / LEFT_MAX;
}

static int left_row(const struct tower_board *b) {
    return ROWS_LEFT + (b->left < LEFT_MAX ? b->left : LEFT_MAX);
}

static int made_row(const struct tower_board *b) {
    return ROWS_MADE + (b->lines < MADE_MAX ? b->lines : MADE_MAX);
}

// Columns with a cell that some line lacks.
static uint32_t columns_marked(const struct tower_board *b) {
    uint32_t marked = 0;
    for (int layer = 0; layer < LAYERS; layer++)
        marked |= (b->three[0][layer] | b->three[1][layer]) & ~b->taken[layer];
    return marked;
}

// Black's bits stand below white's; the mover's shall.
static int column_row(const struct tower_board *b, int column) {
    int marks = b->marks[column] >> 2 * b->height[column] & (PATTERNS - 1);
    if (b->side)
        marks = (marks & 0x55) << 1 | (marks & 0xaa) >> 1;
    return ROWS_COLUMN + b->height[column] * PATTERNS + marks;
}

static void add(int16_t sums[static UNITS], const int16_t row[static UNITS]) {
    for (int unit = 0; unit < UNITS; unit++)
        sums[unit] = (int16_t)(sums[unit] + row[unit]);
}

int tower_gain(const struct tower_board *b) {
    const struct tower_weights *w = &b->net->weights;
    const int16_t(*out)[UNITS] = w->out[tower_stage(b)];
    int16_t sums[UNITS];
    int total = 0;
    memcpy(sums, b->sums[b->played][b->side], sizeof sums);
    add(sums, w->row[left_row(b)]);
    add(sums, w->row[made_row(b)]);
    for (uint32_t rest = columns_marked(b); rest; rest &= rest - 1)
        add(sums, w->row[column_row(b, bits_first(rest))]);
    for (int unit = 0; unit < UNITS; unit++)
        total += (sums[unit] < 0 ? sums[unit] : 0) * out[0][unit] +
                 (sums[unit] > 0 ? sums[unit] : 0) * out[1][unit];
    const int unit = ROW_UNIT * OUT_UNIT * 100 / POINT;
    return (int)((int64_t)total * tower_worth(b, NEXT_LINES) / unit);
}

int tower_rows(const struct tower_board *b, uint16_t rows[static EVAL_ROWS_MAX]) {
    const struct lattice *l = b->lattice;
    int count = 0;
    for (int line = 0; line < l->lines; line++) {
        const int kind = l->kind[b->side][b->line[line]][b->open[line]];
        if (kind)
            rows[count++] = (uint16_t)(ROWS_LINE + l->orbit[line] * KINDS + kind);
    }
    rows[count++] = (uint16_t)left_row(b);
    rows[count++] = (uint16_t)made_row(b);
    for (uint32_t rest = columns_marked(b); rest; rest &= rest - 1)
        rows[count++] = (uint16_t)column_row(b, bits_first(rest));
    return count;
}
