// SPDX-License-Identifier: MIT
#include "games/grid.h"

void grid_write(struct text *t, int side, const char *grid) {
    for (int row = 0; row < side; row++) {
        int empty = 0;
        if (row > 0)
            text_put_char(t, '/');
        for (int col = 0; col < side; col++) {
            const char c = grid[row * side + col];
            if (c == '.') {
                empty++;
                continue;
            }
            if (empty)
                text_put_number(t, empty);
            empty = 0;
            text_put_char(t, c);
        }
        if (empty)
            text_put_number(t, empty);
    }
}

static bool is_cell(char c) { return c == 'X' || c == 'O' || c == '#' || c == '.'; }

// Reads a row; false unless it has exactly `side` cells.
static bool read_row(const char **at, int side, char *row) {
    int col = 0;
    while (col < side) {
        int run;
        if (is_cell(**at)) {
            row[col++] = *(*at)++;
        } else if (text_take_number(at, &run) && run > 0 && run <= side - col) {
            while (run-- > 0)
                row[col++] = '.';
        } else {
            return false;
        }
    }
    return true;
}

const char *grid_read(const char **at, int side, char *grid) {
    text_take_blanks(at);
    for (int row = 0; row < side; row++) {
        if (row > 0 && !text_take(at, '/'))
            return "the rows of a position are separated by /, as many as the board has";
        if (!read_row(at, side, grid + row * side))
            return "a row holds X, O, # and dots or numbers for empty cells, one for each column";
    }
    return NULL;
}

static void put_numbers(struct text *t, int side) {
    text_put(t, "   ");
    for (int col = 0; col < side; col++)
        text_put_padded(t, col, side > 10 ? 3 : 2);
    text_put_char(t, '\n');
}

void grid_draw(struct text *t, bool colour, int side, const char *grid) {
    put_numbers(t, side);
    for (int row = 0; row < side; row++) {
        text_put_padded(t, row, 3);
        for (int col = 0; col < side; col++) {
            const char mark[] = {grid[row * side + col], '\0'};
            text_put(t, side > 10 ? "  " : " ");
            if (*mark == 'X' || *mark == 'O')
                text_put_player(t, colour, *mark == 'X' ? 1 : 2, mark);
            else
                text_put_mark(t, colour, "2", mark);
        }
        text_put_char(t, '\n');
    }
}
