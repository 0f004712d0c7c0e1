// SPDX-License-Identifier: MIT
// Square boards as text, for the games that are played on one.
// A grid is side * side characters, row by row: X, O, '.' for an empty cell, '#' for none.
#pragma once

#include "games/text.h"

enum { GRID_SIDE_MAX = 19, GRID_CELLS_MAX = GRID_SIDE_MAX * GRID_SIDE_MAX };

// Rows separated by '/', runs of empty cells as numbers: "8/3OX3/..." Reading takes dots as well.
void grid_write(struct text *t, int side, const char *grid);
// Returns why the text at `at` is no such grid, or NULL and moves `at` past it.
const char *grid_read(const char **at, int side, char *grid);
// A picture with numbered rows and columns.
void grid_draw(struct text *t, bool colour, int side, const char *grid);
