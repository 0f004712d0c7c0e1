// SPDX-License-Identifier: MIT
// Boards of rows and columns as text, for the games that are played on one.
// A grid is width * height characters, row by row: X, O, '.' for an empty cell, '#' for none.
#pragma once

#include "games/text.h"

enum { GRID_SIDE_MAX = 19, GRID_CELLS_MAX = GRID_SIDE_MAX * GRID_SIDE_MAX };

// Rows separated by '/', runs of empty cells as numbers: "8/3OX3/..." Reading takes dots as well.
void grid_write(struct text *t, int width, int height, const char *grid);
// Returns why the text at `at` is no such grid, or NULL and moves `at` past it.
const char *grid_read(const char **at, int width, int height, char *grid);
// A picture with numbered rows and columns.
void grid_draw(struct text *t, bool colour, int width, int height, const char *grid);
