// SPDX-License-Identifier: MIT
#include "games/grid.h"

void grid_write(struct text *t, int width, int height, const char *grid) {
    for (int row = 0; row < height; row++) {
        int empty = 0;
        if (row > 0)
            text_put_char(t, '/');
        for (int col = 0; col < width; col++) {
            const char c = grid[row * width + col];
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

// Reads a row; false unless it has exactly `width` cells.
static bool read_row(const char **at, int width, char *row) {
    int col = 0;
    while (col < width) {
        int run;
        if (is_cell(**at)) {
            row[col++] = *(*at)++;
        } else if (text_take_number(at, &run) && run > 0 && run <= width - col) {
            while (run-- > 0)
                row[col++] = '.';
        } else {
            return false;
        }
    }
    return true;
}

const char *grid_read(const char **at, int width, int height, char *grid) {
    text_take_blanks(at);
    for (int row = 0; row < height; row++) {
        if (row > 0 && !text_take(at, '/'))
            return "the rows of a position are separated by /, as many as the board has";
        if (!read_row(at, width, grid + row * width))
            return "a row holds X, O, # and dots or numbers for empty cells, one for each column";
    }
    return NULL;
}

static void put_numbers(struct text *t, int width) {
    text_put(t, "   ");
    for (int col = 0; col < width; col++)
        text_put_padded(t, col, width > 10 ? 3 : 2);
    text_put_char(t, '\n');
}

void grid_draw(struct text *t, bool colour, int width, int height, const char *grid) {
    put_numbers(t, width);
    for (int row = 0; row < height; row++) {
        text_put_padded(t, row, 3);
        for (int col = 0; col < width; col++) {
            const char mark[] = {grid[row * width + col], '\0'};
            text_put(t, width > 10 ? "  " : " ");
            if (*mark == 'X' || *mark == 'O')
                text_put_player(t, colour, *mark == 'X' ? 1 : 2, mark);
            else
                text_put_mark(t, colour, "2", mark);
        }
        text_put_char(t, '\n');
    }
}
