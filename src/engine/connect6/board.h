// SPDX-License-Identifier: MIT
// A connect6 board for search: its lines as bits, and for every empty cell, direction and player
// what a stone there would make, kept up to date stone by stone. The caller owns the board.
#pragma once

#include "engine/connect6/lines.h"
#include "games/game.h"
#include "games/grid.h"

enum {
    BOARD_STRIDE = GRID_SIDE_MAX + 1, // a cell is y * 20 + x, as moves are numbered
    BOARD_CELLS = GRID_SIDE_MAX * BOARD_STRIDE,
    BOARD_LINES = 2 * GRID_SIDE_MAX + 2 * (2 * GRID_SIDE_MAX - 1),
    BOARD_WORDS = (BOARD_CELLS + 63) / 64,
    DIRECTIONS = 4,
    EDGE = 6, // bits of a line before its first cell
    CHOICES_MAX = 24,
    CHANGES_MAX = 96, // of one stone: two players, four directions, six cells to either side
};

// Where a cell lies in one of its lines.
struct spot {
    uint8_t line, bit;
};

// A set of cells.
struct cells {
    uint64_t word[BOARD_WORDS];
};

// Cells to choose from, the best first.
struct choices {
    int16_t cell[CHOICES_MAX];
    int value[CHOICES_MAX];
    int count;
};

// What an empty cell is worth to a player, the four directions added up.
struct cell_worth {
    int order;       // how urgent a stone there is
    uint32_t shapes; // how many directions make which shape: 4 bits each, from LIVE2
};

// What a stone has changed, to be put back when it goes.
struct change {
    struct cell_worth tally;
    uint16_t cell;
    uint8_t player, direction, kind;
};

struct stone {
    uint32_t threat[2][DIRECTIONS];
    uint64_t threatened[2][2];
};

struct lesson {
    int changes; // in the list before it
    bool hot[2], warm[2];
};

struct board6 {
    const struct line_kinds *lines;
    int size;
    bool overline_loses;
    struct spot spot[BOARD_CELLS][DIRECTIONS];
    int16_t origin[BOARD_LINES];   // the cell at bit 0 of a line, on the board or not
    int16_t step[BOARD_LINES];     // from a cell of a line to the next
    uint64_t salt[2][BOARD_CELLS]; // of the hash
    struct cell_worth worth[LINE_KINDS];

    uint32_t mine[2][BOARD_LINES], stop[2][BOARD_LINES]; // as each player sees the lines
    uint32_t empty[BOARD_LINES];
    uint32_t threat[2][BOARD_LINES]; // windows that two stones or one fill, by their first bits
    uint64_t threatened[2][2];       // which lines hold such windows
    struct cells empties;
    uint8_t kind[2][DIRECTIONS][BOARD_CELLS]; // of an empty cell
    struct cell_worth tally[2][BOARD_CELLS];
    struct cells hot[2];  // cells where a stone makes a threat or more
    struct cells warm[2]; // cells where a stone makes DEAD3 or more
    uint64_t hash;
    int placed, left; // stones, empty cells

    // What to put back, of every stone.
    struct stone stones[BOARD_CELLS];
    struct lesson lessons[BOARD_CELLS];
    struct change changes[BOARD_CELLS * CHANGES_MAX];
    int lesson_count, change_count;
};

static inline uint32_t shape_unit(enum shape shape) {
    return shape < SHAPE_LIVE2 ? 0 : 1u << 4 * ((int)shape - SHAPE_LIVE2);
}

// All shapes from the least to SIX, not OVER.
static inline uint32_t shapes_from(enum shape least) {
    return shape_unit(SHAPE_OVER) - shape_unit(least);
}

static inline int shape_count(uint32_t shapes, enum shape shape) {
    return (int)(shapes >> 4 * ((int)shape - SHAPE_LIVE2) & 15);
}

static inline bool cells_has(const struct cells *set, int cell) {
    return set->word[cell / 64] >> (cell % 64) & 1;
}

static inline void cells_add(struct cells *set, int cell) {
    set->word[cell / 64] |= UINT64_C(1) << (cell % 64);
}

static inline void cells_drop(struct cells *set, int cell) {
    set->word[cell / 64] &= ~(UINT64_C(1) << (cell % 64));
}

static inline void cells_set(struct cells *set, int cell, bool in) {
    const uint64_t bit = UINT64_C(1) << (cell % 64);
    uint64_t *word = &set->word[cell / 64];
    *word = in ? *word | bit : *word & ~bit;
}

static inline void cells_join(struct cells *set, const struct cells *other) {
    for (int i = 0; i < BOARD_WORDS; i++)
        set->word[i] |= other->word[i];
}

// Puts a cell among the `most` best, behind those of the same value.
static inline void choices_add(struct choices *c, int most, int cell, int value) {
    int at = c->count < most ? c->count++ : most;
    for (; at > 0 && c->value[at - 1] < value; at--)
        if (at < most) {
            c->cell[at] = c->cell[at - 1];
            c->value[at] = c->value[at - 1];
        }
    if (at < most) {
        c->cell[at] = (int16_t)cell;
        c->value[at] = value;
    }
}

// Brings a cell to the front if it is among them.
static inline void choices_put_first(struct choices *c, int cell) {
    for (int at = c->count - 1; at > 0; at--)
        if (c->cell[at] == cell) {
            c->cell[at] = c->cell[at - 1];
            c->cell[at - 1] = (int16_t)cell;
        }
}

// The cells of a set in an array of BOARD_CELLS; returns how many.
int cells_list(const struct cells *set, int16_t *list);

// An empty board; then, on one that was empty once, the stones and blocks of a state.
void board_init(struct board6 *board, const struct ruleset *rules, const struct line_kinds *lines);
void board_read(struct board6 *board, const struct ruleset *rules, const void *state);
// The same of a grid, row by row: X, O, # or another for an empty cell.
void board_fill(struct board6 *board, const struct ruleset *rules, const char *grid);
// Where stones and blocks lie, and threats; nothing of what cells make is known.
void board_outline(struct board6 *board, const struct ruleset *rules, const char *grid);

// Players are 0 and 1. A stone on an empty cell, by anyone at any time, and the last one taken
// back.
void board_place(struct board6 *board, int cell, int player);
void board_undo(struct board6 *board, int cell, int player);
// The same in two steps: stones lie, and their threats are known; then what other cells make is
// learned, of each in the same order. They go in the reverse order of all that.
void board_lay(struct board6 *board, int cell, int player);
void board_learn(struct board6 *board, int cell);
// Only what they make for one player; the other's stays as it was.
void board_learn_side(struct board6 *board, int cell, int player);
void board_unlearn(struct board6 *board, int cell);
void board_lift(struct board6 *board, int cell, int player);

// Whose stone is next, and how many he places in a row.
static inline int board_turn(const struct board6 *board) { return (board->placed + 1) / 2 % 2; }
static inline int board_due(const struct board6 *board) { return 2 - (board->placed + 1) % 2; }

// The cell at a bit of a line.
static inline int board_cell(const struct board6 *board, int line, int bit) {
    return board->origin[line] + bit * board->step[line];
}

static inline uint32_t board_shapes(const struct board6 *board, int player, int cell) {
    return board->tally[player][cell].shapes;
}

static inline int board_order(const struct board6 *board, int player, int cell) {
    return board->tally[player][cell].order;
}

// How much a cell matters to both.
static inline int board_urgency(const struct board6 *board, int cell) {
    return board_order(board, 0, cell) + board_order(board, 1, cell);
}

// The same, where not all stones are learned.
int board_urgency_anew(const struct board6 *board, int cell);

// The run of a player's cells that a stone there would make in a line.
static inline int board_run(const struct board6 *board, int player, struct spot spot) {
    const uint32_t mine = board->mine[player][spot.line];
    const uint32_t above = ~(mine >> spot.bit >> 1), below = ~(mine << (32 - spot.bit));
    return 1 + __builtin_ctz(above) + __builtin_clz(below);
}

// The bits of a line that see the one at `bit` with no stop between, at most six away.
static inline uint32_t board_sight(uint32_t stop, int bit) {
    const uint32_t above = stop & ~UINT32_C(0) << bit << 1, below = stop & ((1u << bit) - 1);
    const int high = above ? __builtin_ctz(above) : 31;
    const int low = below ? 31 - __builtin_clz(below) : 0;
    const uint32_t seen = ((1u << high) - 1) & ~((1u << low) - 1);
    return seen & (8191u << (bit - LINE_REACH)) & ~(1u << bit);
}

// A stone there would lose.
static inline bool board_forbidden(const struct board6 *board, int player, int cell) {
    if (!board->overline_loses)
        return false;
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct spot spot = board->spot[cell][d];
        if (__builtin_popcount(board->mine[player][spot.line]) > 5 &&
            board_run(board, player, spot) > 6)
            return true;
    }
    return false;
}

// The same, where all stones are learned.
static inline bool board_loses(const struct board6 *board, int player, int cell) {
    return board->overline_loses && shape_count(board_shapes(board, player, cell), SHAPE_OVER);
}
