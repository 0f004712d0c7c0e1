// SPDX-License-Identifier: MIT
// A stone changes what cells up to six away make, in the four lines through it: for each player as
// far as he sees no stop between. What an occupied cell would make is left as it was when the stone
// came, and is right again when it goes, since stones go in the reverse order.
#include "engine/connect6/board.h"

#include "base/rng.h"
#include "engine/engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int cells_list(const struct cells *set, int16_t *list) {
    int n = 0;
    for (int i = 0; i < BOARD_WORDS; i++)
        for (uint64_t rest = set->word[i]; rest; rest &= rest - 1)
            list[n++] = (int16_t)(i * 64 + __builtin_ctzll(rest));
    return n;
}

// Lines are numbered rows, columns, falling and rising diagonals; a cell's bit is its column in a
// row and its row elsewhere.
static void lay_spots(struct board6 *b) {
    enum { SIDE = GRID_SIDE_MAX };
    static const int step[DIRECTIONS] = {1, BOARD_STRIDE, BOARD_STRIDE + 1, BOARD_STRIDE - 1};
    for (int y = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++) {
            const int line[DIRECTIONS] = {y, SIDE + x, 2 * SIDE + x - y + SIDE - 1,
                                          2 * SIDE + 2 * SIDE - 1 + x + y};
            for (int d = 0; d < DIRECTIONS; d++) {
                const int cell = y * BOARD_STRIDE + x, bit = EDGE + (d == 0 ? x : y);
                b->spot[cell][d] = (struct spot){(uint8_t)line[d], (uint8_t)bit};
                b->origin[line[d]] = (int16_t)(cell - bit * step[d]);
                b->step[line[d]] = (int16_t)step[d];
            }
        }
}

// One tally, less another, added to a third.
static void tally_shift(struct cell_worth *t, const struct cell_worth *add,
                        const struct cell_worth *drop) {
    t->order += add->order - drop->order;
    t->shapes += add->shapes - drop->shapes;
}

static bool is_hot(uint32_t shapes) { return shapes & shapes_from(SHAPE_THREAT); }
static bool is_warm(uint32_t shapes) { return shapes & shapes_from(SHAPE_DEAD3); }

static void set_heat(struct board6 *b, int player, int cell, uint32_t shapes) {
    cells_set(&b->hot[player], cell, is_hot(shapes));
    cells_set(&b->warm[player], cell, is_warm(shapes));
}

static void change_heat(struct board6 *b, int player, int cell, uint32_t from, uint32_t to) {
    if (is_hot(from) != is_hot(to) || is_warm(from) != is_warm(to))
        set_heat(b, player, cell, to);
}

static void set_kind(struct board6 *b, int player, int direction, int cell, int kind) {
    uint8_t *known = &b->kind[player][direction][cell];
    struct cell_worth *tally = &b->tally[player][cell];
    const int old = *known;
    if (old == kind)
        return;
    const uint32_t shapes = tally->shapes;
    b->changes[b->change_count++] = (struct change){.tally = *tally,
                                                    .cell = (uint16_t)cell,
                                                    .player = (uint8_t)player,
                                                    .direction = (uint8_t)direction,
                                                    .kind = (uint8_t)old};
    *known = (uint8_t)kind;
    tally_shift(tally, &b->worth[kind], &b->worth[old]);
    change_heat(b, player, cell, shapes, tally->shapes);
}

int board_urgency_anew(const struct board6 *b, int cell) {
    int order = 0;
    for (int i = 0; i < 2 * DIRECTIONS; i++) {
        const struct spot spot = b->spot[cell][i / 2];
        order += b->worth[lines_kind(b->lines, b->mine[i % 2][spot.line], b->stop[i % 2][spot.line],
                                     spot.bit)]
                     .order;
    }
    return order;
}

static void learn_line(struct board6 *b, int player, int direction, struct spot spot) {
    const uint32_t mine = b->mine[player][spot.line], stop = b->stop[player][spot.line];
    uint32_t rest = board_sight(stop, spot.bit) & b->empty[spot.line];
    for (; rest; rest &= rest - 1) {
        const int bit = __builtin_ctz(rest);
        set_kind(b, player, direction, board_cell(b, spot.line, bit),
                 lines_kind(b->lines, mine, stop, bit));
    }
}

static void find_threats(struct board6 *b, int player, int line) {
    const uint32_t mine = b->mine[player][line];
    const uint32_t threats = __builtin_popcount(mine) < 4
                                 ? 0
                                 : lines_windows(b->lines->exact, mine, b->stop[player][line], 4);
    const uint64_t lit = UINT64_C(1) << line % 64;
    b->threat[player][line] = threats;
    if (threats)
        b->threatened[player][line / 64] |= lit;
    else
        b->threatened[player][line / 64] &= ~lit;
}

void board_lay(struct board6 *b, int cell, int player) {
    struct stone *stone = &b->stones[b->placed++];
    assert(cells_has(&b->empties, cell));
    memcpy(stone->threatened, b->threatened, sizeof stone->threatened);
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct spot spot = b->spot[cell][d];
        b->mine[player][spot.line] |= 1u << spot.bit;
        b->stop[1 - player][spot.line] |= 1u << spot.bit;
        b->empty[spot.line] &= ~(1u << spot.bit);
        for (int p = 0; p < 2; p++) {
            stone->threat[p][d] = b->threat[p][spot.line];
            find_threats(b, p, spot.line);
        }
    }
    cells_drop(&b->empties, cell);
    b->hash ^= b->salt[player][cell];
    b->left--;
}

void board_lift(struct board6 *b, int cell, int player) {
    const struct stone *stone = &b->stones[--b->placed];
    memcpy(b->threatened, stone->threatened, sizeof stone->threatened);
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct spot spot = b->spot[cell][d];
        b->mine[player][spot.line] &= ~(1u << spot.bit);
        b->stop[1 - player][spot.line] &= ~(1u << spot.bit);
        b->empty[spot.line] |= 1u << spot.bit;
        for (int p = 0; p < 2; p++)
            b->threat[p][spot.line] = stone->threat[p][d];
    }
    cells_add(&b->empties, cell);
    b->hash ^= b->salt[player][cell];
    b->left++;
}

static void begin_lesson(struct board6 *b, int cell) {
    struct lesson *lesson = &b->lessons[b->lesson_count++];
    lesson->changes = b->change_count;
    for (int p = 0; p < 2; p++) {
        lesson->hot[p] = cells_has(&b->hot[p], cell);
        lesson->warm[p] = cells_has(&b->warm[p], cell);
    }
}

static void learn_side(struct board6 *b, int cell, int player) {
    cells_drop(&b->hot[player], cell);
    cells_drop(&b->warm[player], cell);
    for (int d = 0; d < DIRECTIONS; d++)
        learn_line(b, player, d, b->spot[cell][d]);
}

void board_learn(struct board6 *b, int cell) {
    begin_lesson(b, cell);
    learn_side(b, cell, 0);
    learn_side(b, cell, 1);
}

void board_learn_side(struct board6 *b, int cell, int player) {
    begin_lesson(b, cell);
    learn_side(b, cell, player);
}

void board_unlearn(struct board6 *b, int cell) {
    const struct lesson *lesson = &b->lessons[--b->lesson_count];
    while (b->change_count > lesson->changes) {
        const struct change *c = &b->changes[--b->change_count];
        b->kind[c->player][c->direction][c->cell] = c->kind;
        change_heat(b, c->player, c->cell, b->tally[c->player][c->cell].shapes, c->tally.shapes);
        b->tally[c->player][c->cell] = c->tally;
    }
    for (int p = 0; p < 2; p++) {
        cells_set(&b->hot[p], cell, lesson->hot[p]);
        cells_set(&b->warm[p], cell, lesson->warm[p]);
    }
}

void board_place(struct board6 *b, int cell, int player) {
    board_lay(b, cell, player);
    board_learn(b, cell);
}

void board_undo(struct board6 *b, int cell, int player) {
    board_unlearn(b, cell);
    board_lift(b, cell, player);
}

// What every empty cell makes, from nothing.
static void find_kinds(struct board6 *b) {
    int16_t list[BOARD_CELLS];
    const int n = cells_list(&b->empties, list);
    static const struct cell_worth nothing = {0};
    memset(b->tally, 0, sizeof b->tally);
    for (int i = 0; i < 2 * n; i++) {
        const int player = i % 2, cell = list[i / 2];
        for (int d = 0; d < DIRECTIONS; d++) {
            const struct spot spot = b->spot[cell][d];
            const int kind = lines_kind(b->lines, b->mine[player][spot.line],
                                        b->stop[player][spot.line], spot.bit);
            b->kind[player][d][cell] = (uint8_t)kind;
            tally_shift(&b->tally[player][cell], &b->worth[kind], &nothing);
        }
        set_heat(b, player, cell, b->tally[player][cell].shapes);
    }
}

// No stones and no blocks; what the cells make is not known yet.
static void board_clear(struct board6 *b) {
    memset(b->mine, 0, sizeof b->mine);
    memset(b->stop, 255, sizeof b->stop);
    memset(b->empty, 0, sizeof b->empty);
    memset(b->threat, 0, sizeof b->threat);
    memset(b->threatened, 0, sizeof b->threatened);
    b->empties = (struct cells){.word = {0}};
    memset(b->hot, 0, sizeof b->hot);
    memset(b->warm, 0, sizeof b->warm);
    for (int i = 0; i < b->size * b->size; i++) {
        const int cell = i / b->size * BOARD_STRIDE + i % b->size;
        cells_add(&b->empties, cell);
        for (int d = 0; d < DIRECTIONS; d++) {
            const struct spot spot = b->spot[cell][d];
            b->empty[spot.line] |= 1u << spot.bit;
            b->stop[0][spot.line] &= ~(1u << spot.bit);
            b->stop[1][spot.line] &= ~(1u << spot.bit);
        }
    }
    b->left = b->size * b->size;
    b->placed = b->lesson_count = b->change_count = 0;
    b->hash = 0;
}

// How urgent a stone is, by what it makes in a line: a row for each shape, in the order of SHAPES.
static const int16_t urgency[LINE_KINDS] = {
    0,   0,   0,   0,   2,   2,   2,   2,   4,    5,    6,    7,    9,   10,  11,  12,
    26,  28,  31,  34,  32,  34,  37,  40,  90,   100,  110,  120,  120, 125, 130, 135,
    300, 310, 320, 330, 600, 600, 600, 600, 2000, 2000, 2000, 2000, 0,   0,   0,   0,
};

void board_init(struct board6 *b, const struct ruleset *rules, const struct line_kinds *lines) {
    struct rng rng = {6};
    memset(b, 0, sizeof *b);
    b->lines = lines;
    b->size = atoi(engine_rule(rules, "size"));
    b->overline_loses = strcmp(engine_rule(rules, "overline"), "lose") == 0;
    for (int i = 0; i < LINE_KINDS; i++)
        b->worth[i] = (struct cell_worth){urgency[i], shape_unit(kind_shape(i))};
    for (int i = 0; i < 2 * BOARD_CELLS; i++)
        b->salt[i % 2][i / 2] = rng_next(&rng);
    lay_spots(b);
    board_clear(b);
    find_kinds(b);
}

// A block is as a stone of both, or of neither.
static void set_block(struct board6 *b, int cell, bool counts) {
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct spot spot = b->spot[cell][d];
        const uint32_t bit = 1u << spot.bit;
        b->empty[spot.line] &= ~bit;
        for (int p = 0; p < 2; p++) {
            b->mine[p][spot.line] |= counts ? bit : 0;
            b->stop[p][spot.line] |= counts ? 0 : bit;
            find_threats(b, p, spot.line);
        }
    }
    cells_drop(&b->empties, cell);
    b->hash ^= b->salt[0][cell] ^ b->salt[1][cell];
    b->left--;
}

void board_outline(struct board6 *b, const struct ruleset *rules, const char *grid) {
    const bool counts = strcmp(engine_rule(rules, "blocks_count"), "both") == 0;
    board_clear(b);
    for (int i = 0; i < b->size * b->size; i++) {
        const int cell = i / b->size * BOARD_STRIDE + i % b->size;
        if (grid[i] == '#')
            set_block(b, cell, counts);
        else if (grid[i] == 'X' || grid[i] == 'O')
            board_lay(b, cell, grid[i] == 'O');
    }
}

void board_fill(struct board6 *b, const struct ruleset *rules, const char *grid) {
    board_outline(b, rules, grid);
    find_kinds(b);
}

void board_read(struct board6 *b, const struct ruleset *rules, const void *state) {
    char text[STATE_TEXT_MAX], grid[GRID_CELLS_MAX];
    const char *at = text;
    rules->game->write_state(state, text);
    const char *wrong = grid_read(&at, b->size, b->size, grid);
    assert(!wrong);
    (void)wrong;
    board_fill(b, rules, grid);
}
