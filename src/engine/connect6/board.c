// SPDX-License-Identifier: MIT
// A stone changes what cells up to six away make, in the four lines through it: for each player as
// far as he sees no stop between. What an occupied cell would make is left as it was when the stone
// came, and is right again when it goes, since stones go in the reverse order.
#include "engine/connect6/board.h"

#include "base/rng.h"

#include <assert.h>
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
static void lay_spots(struct board *b) {
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

// Adds what an empty cell is worth in one direction, or takes it away.
static void count_kind(struct board *b, int player, int kind, int sign) {
    b->turn_sum[player] += sign * b->weights->turn[kind];
    b->wait_sum[player] += sign * b->weights->wait[kind];
}

static void count_cell(struct board *b, int cell, int sign) {
    for (int p = 0; p < 2; p++)
        for (int d = 0; d < DIRECTIONS; d++)
            count_kind(b, p, b->kind[p][d][cell], sign);
}

static void mark_hot(struct board *b, int player, int cell) {
    // Threats and more, but not OVER: the shapes between.
    const uint32_t threats = shape_unit(SHAPE_OVER) - shape_unit(SHAPE_THREAT);
    if (b->shapes[player][cell] & threats)
        cells_add(&b->hot[player], cell);
    else
        cells_drop(&b->hot[player], cell);
}

static void set_kind(struct board *b, int player, int direction, int cell, int kind) {
    uint8_t *known = &b->kind[player][direction][cell];
    const int old = *known;
    if (old == kind)
        return;
    *known = (uint8_t)kind;
    count_kind(b, player, old, -1);
    count_kind(b, player, kind, 1);
    b->order[player][cell] += b->weights->order[kind] - b->weights->order[old];
    b->shapes[player][cell] += shape_unit(kind_shape(kind)) - shape_unit(kind_shape(old));
    mark_hot(b, player, cell);
}

// The bits of a line that see the one at `bit` with no stop between, at most six away.
static uint32_t bits_in_sight(uint32_t stop, int bit) {
    const uint32_t above = stop & ~UINT32_C(0) << bit << 1, below = stop & ((1u << bit) - 1);
    const int high = above ? __builtin_ctz(above) : 31;
    const int low = below ? 31 - __builtin_clz(below) : 0;
    const uint32_t seen = ((1u << high) - 1) & ~((1u << low) - 1);
    return seen & (8191u << (bit - LINE_REACH)) & ~(1u << bit);
}

static void update_player(struct board *b, int player, int direction, int cell) {
    const struct spot spot = b->spot[cell][direction];
    const uint32_t mine = b->mine[player][spot.line], stop = b->stop[player][spot.line];
    uint32_t rest = bits_in_sight(stop, spot.bit) & b->empty[spot.line];
    for (; rest; rest &= rest - 1) {
        const int bit = __builtin_ctz(rest);
        set_kind(b, player, direction, board_cell(b, spot.line, bit),
                 lines_kind(b->lines, mine, stop, bit));
    }
    const uint32_t threats = lines_windows(b->lines->exact, mine, stop, 4);
    const uint64_t lit = UINT64_C(1) << spot.line % 64;
    b->threat[player][spot.line] = threats;
    if (threats)
        b->threatened[player][spot.line / 64] |= lit;
    else
        b->threatened[player][spot.line / 64] &= ~lit;
}

static void update_lines(struct board *b, int cell) {
    for (int d = 0; d < DIRECTIONS; d++)
        for (int p = 0; p < 2; p++)
            update_player(b, p, d, cell);
}

void board_place(struct board *b, int cell, int player) {
    assert(cells_has(&b->empties, cell));
    count_cell(b, cell, -1);
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct spot spot = b->spot[cell][d];
        b->mine[player][spot.line] |= 1u << spot.bit;
        b->stop[1 - player][spot.line] |= 1u << spot.bit;
        b->empty[spot.line] &= ~(1u << spot.bit);
    }
    cells_drop(&b->empties, cell);
    cells_drop(&b->hot[0], cell);
    cells_drop(&b->hot[1], cell);
    update_lines(b, cell);
    b->hash ^= b->salt[player][cell];
    b->placed++;
    b->left--;
}

void board_undo(struct board *b, int cell, int player) {
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct spot spot = b->spot[cell][d];
        b->mine[player][spot.line] &= ~(1u << spot.bit);
        b->stop[1 - player][spot.line] &= ~(1u << spot.bit);
        update_player(b, 0, d, cell);
        update_player(b, 1, d, cell);
        b->empty[spot.line] |= 1u << spot.bit;
    }
    cells_add(&b->empties, cell);
    mark_hot(b, 0, cell);
    mark_hot(b, 1, cell);
    count_cell(b, cell, 1);
    b->hash ^= b->salt[player][cell];
    b->placed--;
    b->left++;
}

static int rule_value(const struct ruleset *rules, const char *key) {
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, key) == 0)
            return rules->number[i];
    assert(false);
    return 0;
}

static bool rule_is(const struct ruleset *rules, const char *key, const char *word) {
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, key) == 0)
            return strcmp(rules->text[i], word) == 0;
    assert(false);
    return false;
}

// What every empty cell makes, from nothing.
static void find_kinds(struct board *b) {
    int16_t list[BOARD_CELLS];
    const int n = cells_list(&b->empties, list);
    for (int i = 0; i < n; i++)
        for (int d = 0; d < DIRECTIONS; d++)
            for (int p = 0; p < 2; p++) {
                const struct spot spot = b->spot[list[i]][d];
                set_kind(
                    b, p, d, list[i],
                    lines_kind(b->lines, b->mine[p][spot.line], b->stop[p][spot.line], spot.bit));
            }
}

void board_init(struct board *b, const struct ruleset *rules, const struct lines *lines,
                const struct weights *weights) {
    struct rng rng = {6};
    memset(b, 0, sizeof *b);
    b->lines = lines;
    b->weights = weights;
    b->size = rule_value(rules, "size");
    b->overline_loses = rule_is(rules, "overline", "lose");
    for (int i = 0; i < 2 * BOARD_CELLS; i++)
        b->salt[i % 2][i / 2] = rng_next(&rng);
    memset(b->stop, 255, sizeof b->stop);
    lay_spots(b);
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
    find_kinds(b);
}

// A block is as a stone of both, or of neither.
static void place_block(struct board *b, int cell, bool counts) {
    board_place(b, cell, 0);
    b->placed--;
    b->hash ^= b->salt[1][cell];
    for (int d = 0; d < DIRECTIONS; d++) {
        const struct spot spot = b->spot[cell][d];
        const uint32_t bit = 1u << spot.bit;
        for (int p = 0; p < 2; p++) {
            b->mine[p][spot.line] = (b->mine[p][spot.line] & ~bit) | (counts ? bit : 0);
            b->stop[p][spot.line] = (b->stop[p][spot.line] & ~bit) | (counts ? 0 : bit);
        }
    }
    update_lines(b, cell);
}

void board_read(struct board *b, const struct ruleset *rules, const void *state) {
    char text[STATE_TEXT_MAX], grid[GRID_CELLS_MAX];
    const char *at = text;
    const bool counts = rule_is(rules, "blocks_count", "both");
    board_init(b, rules, b->lines, b->weights);
    rules->game->write_state(state, text);
    const char *wrong = grid_read(&at, b->size, grid);
    assert(!wrong);
    (void)wrong;
    for (int i = 0; i < b->size * b->size; i++) {
        const int cell = i / b->size * BOARD_STRIDE + i % b->size;
        if (grid[i] == '#')
            place_block(b, cell, counts);
        else if (grid[i] != '.')
            board_place(b, cell, grid[i] == 'O');
    }
}
