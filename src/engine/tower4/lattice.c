// SPDX-License-Identifier: MIT
// All is found by trying, once for a ruleset. Columns are numbered in reading order, without those
// that the corners lack; lines by walking four cells from every cell in each of 13 directions;
// mirrors by turning the square. Lines that a mirror takes into each other are one class (an orbit)
// and share their weights, so the cells of each stand in the order of the first of its class.
// Whatever depends on the stones of one line is a table over its 256 states.
#include "engine/tower4/lattice.h"

#include "base/rng.h"
#include "engine/engine.h"
#include "games/bits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 6, STRIDE = 8, RUN = 4, NOWHERE = 255 };

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
    for (int i = 0; i < RUN; i++)
        l->cell[l->lines][i] = (uint8_t)cells[i];
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

// The line of these cells, in any order; none but an earlier one, if it is not `to`.
static int line_find(const struct lattice *l, const uint8_t cells[static RUN], int to) {
    for (int line = 0; line < to; line++) {
        int same = 0;
        for (int i = 0; i < RUN * RUN; i++)
            same += l->cell[line][i / RUN] == cells[i % RUN];
        if (same == RUN)
            return line;
    }
    return to;
}

// A line's class is that of the first line among its mirrored ones, and its cells stand in the
// order of that line's.
static void number_orbit(struct lattice *l, int line) {
    int first = line;
    for (int view = 1; view < MIRRORS; view++) {
        uint8_t cells[RUN], order[RUN];
        for (int i = 0; i < RUN; i++)
            cells[i] = (uint8_t)(cell_layer(l->cell[line][i]) * COLUMNS_MAX +
                                 l->mirror[view][cell_column(l->cell[line][i])]);
        const int other = line_find(l, cells, first);
        if (other == first)
            continue;
        first = other;
        for (int i = 0; i < RUN * RUN; i++)
            if (l->cell[other][i / RUN] == cells[i % RUN])
                order[i / RUN] = l->cell[line][i % RUN];
        memcpy(l->cell[line], order, sizeof order);
    }
    l->orbit[line] = first == line ? (uint8_t)l->orbits++ : l->orbit[first];
    assert(l->orbits <= ORBITS_MAX);
}

static void list_through(struct lattice *l) {
    for (int i = 0; i < l->lines * RUN; i++) {
        const int cell = l->cell[i / RUN][i % RUN];
        l->through[cell][l->through_count[cell]++] = (uint16_t)i;
    }
}

// Numbers the kinds of lines with the stones of one colour, from 1.
static void number_kinds(uint8_t kinds[static LINE_FULL + 1][LINE_FULL + 1]) {
    uint8_t next = 1;
    for (int stones = 1; stones < LINE_FULL; stones++)
        for (int open = 0; open <= LINE_FULL; open++) // a stone stands on something
            kinds[stones][open] = (open & stones) == 0 ? next++ : kinds[stones][open & ~stones];
    assert(next == KIND_OTHER + 1);
}

static void see_stones(struct lattice *l, int side, int state) {
    uint8_t kinds[LINE_FULL + 1][LINE_FULL + 1] = {{0}};
    const int own = state >> RUN * side & LINE_FULL, other = state >> RUN * !side & LINE_FULL;
    const bool dead = (own && other) || own == LINE_FULL || other == LINE_FULL;
    const int number = bits_count((uint64_t)(own | other));
    number_kinds(kinds);
    for (int open = 0; open <= LINE_FULL; open++)
        l->kind[side][state][open] = (uint8_t)(dead    ? KIND_DEAD
                                               : other ? KIND_OTHER + kinds[other][open]
                                                       : kinds[own][open]);
    l->stones[side][state] = (uint8_t)(dead    ? STONES_DEAD
                                       : other ? STONES_OTHER + number
                                               : STONES_OWN + number);
    l->lack[state] =
        (uint8_t)(dead || number != 3 ? LACKS_MORE : bits_first(LINE_FULL & ~(own | other)));
}

int lattice_corners(const struct ruleset *rules) { return atoi(engine_rule(rules, "corners")); }

void lattice_init(struct lattice *l, const struct ruleset *rules) {
    struct rng rng = {4};
    *l = (struct lattice){.pieces = atoi(engine_rule(rules, "pieces"))};
    number_columns(l, lattice_corners(rules));
    for (int layer = 0; layer < LAYERS; layer++)
        for (int column = 0; column < l->columns; column++)
            add_lines_from(l, layer * COLUMNS_MAX + column);
    number_mirrors(l);
    for (int line = 0; line < l->lines; line++)
        number_orbit(l, line);
    list_through(l);
    for (int i = 0; i < 2 * LINE_STATES; i++)
        see_stones(l, i / LINE_STATES, i % LINE_STATES);
    for (int i = 0; i < 2 * CELLS; i++)
        l->key[i / CELLS][i % CELLS] = rng_next(&rng);
    for (int k = 1; k <= LINES_MAX; k++)
        l->worth[k] = (int16_t)(l->worth[k - 1] + 100 / k);
}
