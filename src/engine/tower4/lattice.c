// SPDX-License-Identifier: MIT
#include "engine/tower4/lattice.h"

#include "base/rng.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 6, STRIDE = 8, RUN = 4, NOWHERE = 255 };

static int setting(const struct ruleset *rules, const char *key) {
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, key) == 0)
            return atoi(rules->text[i]);
    assert(false);
    return 0;
}

// Cut are the cells that lie less than `cut` steps from a corner, along the rim.
static bool is_cut(int row, int col, int corners) {
    const int down = row < SIDE / 2 ? row : SIDE - 1 - row;
    const int right = col < SIDE / 2 ? col : SIDE - 1 - col;
    return down + right < (corners == 3 ? 2 : 1);
}

static void number_columns(struct lattice *l, int corners) {
    memset(l->column, NOWHERE, sizeof l->column);
    for (int row = 0; row < SIDE; row++)
        for (int col = 0; col < SIDE; col++)
            if (!is_cut(row, col, corners)) {
                l->column[row * STRIDE + col] = (uint8_t)l->columns;
                l->move[l->columns++] = (uint8_t)(row * STRIDE + col);
            }
}

static int cell_at(const struct lattice *l, int layer, int row, int col) {
    if (layer < 0 || layer >= LAYERS || row < 0 || row >= SIDE || col < 0 || col >= SIDE ||
        l->column[row * STRIDE + col] == NOWHERE)
        return -1;
    return layer * COLUMNS_MAX + l->column[row * STRIDE + col];
}

static void add_line(struct lattice *l, int from, int up, int down, int right) {
    const int at = l->move[cell_column(from)];
    int cells[RUN];
    for (int i = 0; i < RUN; i++) {
        cells[i] =
            cell_at(l, cell_layer(from) + i * up, at / STRIDE + i * down, at % STRIDE + i * right);
        if (cells[i] < 0)
            return;
    }
    for (int i = 0; i < RUN; i++) {
        l->cell[l->lines][i] = (uint8_t)cells[i];
        l->through[cells[i]][l->through_count[cells[i]]++] = (uint16_t)l->lines;
    }
    l->lines++;
}

// Every direction once: up, or level and down the rows, or level and to the right.
static void add_lines_from(struct lattice *l, int cell) {
    for (int up = 0; up <= 1; up++)
        for (int down = -1; down <= 1; down++)
            for (int right = -1; right <= 1; right++)
                if (up > 0 || down > 0 || (down == 0 && right > 0))
                    add_line(l, cell, up, down, right);
}

// The views of the square: its four turns, and the same from behind.
static void number_mirrors(struct lattice *l) {
    for (int column = 0; column < l->columns; column++) {
        int row = l->move[column] / STRIDE, col = l->move[column] % STRIDE;
        for (int view = 0; view < MIRRORS; view++) {
            const uint8_t to = l->column[row * STRIDE + col];
            l->mirror[view][column] = to;
            l->unmirror[view][to] = (uint8_t)column;
            const int behind = SIDE - 1 - row, beside = col;
            row = view == 3 ? behind : beside; // a quarter; after four of them the other face
            col = view == 3 ? beside : behind;
        }
    }
}

static int line_find(const struct lattice *l, const bool cells[static CELLS], int through) {
    for (int i = 0; i < l->through_count[through]; i++) {
        const uint8_t *c = l->cell[l->through[through][i]];
        if (cells[c[0]] && cells[c[1]] && cells[c[2]] && cells[c[3]])
            return l->through[through][i];
    }
    assert(false);
    return -1;
}

static int line_mirrored(const struct lattice *l, int line, int view) {
    bool cells[CELLS] = {false};
    int cell = 0;
    for (int i = 0; i < RUN; i++) {
        const int from = l->cell[line][i];
        cell = cell_layer(from) * COLUMNS_MAX + l->mirror[view][cell_column(from)];
        cells[cell] = true;
    }
    return line_find(l, cells, cell);
}

// A line's class is that of the first line among its mirrored ones.
static void number_orbits(struct lattice *l) {
    for (int line = 0; line < l->lines; line++) {
        int first = line;
        for (int view = 1; view < MIRRORS; view++) {
            const int other = line_mirrored(l, line, view);
            first = other < first ? other : first;
        }
        l->orbit[line] = first == line ? (uint8_t)l->orbits++ : l->orbit[first];
    }
    assert(l->orbits <= ORBITS_MAX);
}

int lattice_corners(const struct ruleset *rules) { return setting(rules, "corners"); }

void lattice_init(struct lattice *l, const struct ruleset *rules) {
    struct rng rng = {4};
    *l = (struct lattice){.pieces = setting(rules, "pieces")};
    number_columns(l, lattice_corners(rules));
    for (int layer = 0; layer < LAYERS; layer++)
        for (int column = 0; column < l->columns; column++)
            add_lines_from(l, layer * COLUMNS_MAX + column);
    number_mirrors(l);
    number_orbits(l);
    for (int i = 0; i < 2 * CELLS; i++)
        l->key[i / CELLS][i % CELLS] = rng_next(&rng);
    for (int k = 1; k <= LINES_MAX; k++)
        l->worth[k] = (int16_t)(l->worth[k - 1] + 100 / k);
}
