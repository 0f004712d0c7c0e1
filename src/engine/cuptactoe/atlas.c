// SPDX-License-Identifier: MIT
// All numbers are given by listing. Sets of cells come by their size, then as binary numbers;
// layers, the pairs of sets that share no cell, by the own set, then the other's. A shape stands
// for up to eight layers that symmetries carry into each other; its own layer is the one whose
// other set is the least, then whose own set is. Shapes are numbered by that other set first, so
// those of a page follow each other, and there are few pages. What is true then:
// turned[turn[layer]][layer] == layer_of_shape[shape[layer]], for every layer.
#include "engine/cuptactoe/atlas.h"

#include "base/mem.h"
#include "games/bits.h"

#include <assert.h>
#include <string.h>

static void number_sets(struct atlas *a) {
    int n = 0;
    memset(a->set, NO_SET, sizeof a->set);
    for (int size = 0; size <= CUPS_EACH; size++)
        for (unsigned cells = 0; cells <= CUPS_BOARD; cells++)
            if (bits_count(cells) == size) {
                a->cells[n] = (uint16_t)cells;
                a->set[cells] = (uint8_t)n++;
            }
    assert(n == SETS);
    for (int set = 0; set < SETS; set++)
        for (unsigned cells = 0; cells <= CUPS_BOARD; cells++)
            if ((a->cells[set] & cells) == cells)
                a->with[cells] |= bit(set);
}

static void number_layers(struct atlas *a) {
    int n = 0;
    for (int own = 0; own < SETS; own++) {
        a->first[own] = (uint16_t)n;
        for (int other = 0; other < SETS; other++) {
            a->layer[own][other] = NO_LAYER;
            if (a->cells[own] & a->cells[other])
                continue;
            a->apart[own] |= bit(other);
            a->own[n] = (uint8_t)own;
            a->other[n] = (uint8_t)other;
            a->layer[own][other] = (uint16_t)n++;
        }
    }
    a->first[SETS] = (uint16_t)n;
    assert(n == LAYERS);
}

// Where a symmetry carries a cell: three mirrors, each used or not.
static int turned_cell(int symmetry, int cell) {
    const int row = cell / 3, column = cell % 3;
    const int r = symmetry & 4 ? column : row, c = symmetry & 4 ? row : column;
    return (symmetry & 1 ? 2 - r : r) * 3 + (symmetry & 2 ? 2 - c : c);
}

static void turn_cells(struct atlas *a) {
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++)
        for (int cell = 0; cell < CUPS_CELLS; cell++) {
            a->cell[symmetry][cell] = (uint8_t)turned_cell(symmetry, cell);
            a->uncell[symmetry][a->cell[symmetry][cell]] = (uint8_t)cell;
        }
}

static int turned_set(const struct atlas *a, int symmetry, int set) {
    unsigned cells = 0;
    for (int cell = 0; cell < CUPS_CELLS; cell++)
        if (a->cells[set] >> cell & 1)
            cells |= 1u << a->cell[symmetry][cell];
    return a->set[cells];
}

static void turn_layers(struct atlas *a) {
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++)
        for (int layer = 0; layer < LAYERS; layer++) {
            const int own = turned_set(a, symmetry, a->own[layer]);
            const int other = turned_set(a, symmetry, a->other[layer]);
            a->turned[symmetry][layer] = a->layer[own][other];
            a->flipped[symmetry][layer] = a->layer[other][own];
        }
}

// The symmetry that makes the other set least, and then the own one: so that layers of a shape
// have few different other sets.
static int least_turn(const struct atlas *a, int layer) {
    int least = 0, found = 0;
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        const int turned = a->turned[symmetry][layer];
        const int order = a->other[turned] * SETS + a->own[turned];
        if (symmetry == 0 || order < least) {
            least = order;
            found = symmetry;
        }
    }
    return found;
}

static void number_shapes(struct atlas *a) {
    int shapes = 0, pages = 0;
    for (int other = 0; other < SETS; other++) {
        const int before = shapes;
        for (int own = 0; own < SETS; own++) {
            const int layer = a->layer[own][other];
            if (layer == NO_LAYER)
                continue;
            a->turn[layer] = (uint8_t)least_turn(a, layer);
            if (a->turned[a->turn[layer]][layer] != layer)
                continue;
            a->layer_of_shape[shapes] = (uint16_t)layer;
            a->shape[layer] = (uint8_t)shapes++;
        }
        if (shapes > before)
            a->page[pages++] = (uint8_t)other;
    }
    assert(shapes == SHAPES && pages == PAGES);
    for (int layer = 0; layer < LAYERS; layer++) {
        const int least = a->turned[a->turn[layer]][layer];
        a->shape[layer] = a->shape[least];
        a->weight[a->shape[layer]]++;
        for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++)
            if (a->turned[symmetry][layer] == least)
                a->turns[layer] |= (uint8_t)bit(symmetry);
    }
}

struct atlas *atlas_new(void) {
    struct atlas *atlas = mem_new(1, sizeof *atlas);
    number_sets(atlas);
    number_layers(atlas);
    turn_cells(atlas);
    turn_layers(atlas);
    number_shapes(atlas);
    return atlas;
}

static int layer_of(const struct atlas *a, const struct cupboard *board, int size) {
    return a->layer[a->set[board->own[size]]][a->set[board->other[size]]];
}

size_t atlas_slot(const struct atlas *a, const struct cupboard *board, int *symmetry) {
    const int small = layer_of(a, board, 0), medium = layer_of(a, board, 1);
    const int large = layer_of(a, board, 2);
    int least = LAYERS * LAYERS;
    for (unsigned turns = a->turns[large]; turns; turns &= turns - 1) {
        const int turn = bits_first(turns);
        const int rest = a->turned[turn][medium] * LAYERS + a->turned[turn][small];
        if (rest < least) {
            least = rest;
            *symmetry = turn;
        }
    }
    return (size_t)a->shape[large] * LAYERS * LAYERS + (size_t)least;
}

uint64_t atlas_lines(const struct atlas *a, unsigned seen, unsigned bare) {
    uint64_t sets = 0;
    for (int i = 0; i < CUPS_LINES; i++) {
        const unsigned missing = cups_lines[i] & ~seen;
        if (!(missing & ~bare))
            sets |= a->with[missing];
    }
    return sets;
}
