// SPDX-License-Identifier: MIT
// Hex: Black joins the top and the bottom, White the left and the right. A move is a cell, or
// "swap": White's first answer may take over Black's stone, mirrored. Cells are bits of a plane of
// several words, rows 20 apart, with a clear rim around the board; a plane marks the stones that
// are joined to the first side of their player (top, left): the game is over when one lies on the
// other side.
#include "games/bits.h"
#include "games/game.h"
#include "games/grid.h"

enum {
    STRIDE = GRID_SIDE_MAX + 1,
    RIM = STRIDE + 1, // bits before the first cell
    WORDS = 7,
    SWAP = GRID_SIDE_MAX * STRIDE, // the move
};
enum { RULE_SIZE, RULE_SWAP };
enum { ENDING_JOINED = 1 };

struct hex {
    uint64_t stone[2][WORDS]; // [player - 1]
    uint64_t joined[WORDS];
    uint64_t empty[WORDS];
    uint16_t placed;        // stones on the board
    uint8_t size, may_swap; // as in the ruleset
    uint8_t turn, winner;   // as struct game has them
    uint8_t unused[2];
};

static const struct rule rules[] = {
    [RULE_SIZE] =
        {.key = "size", .standard = "11", .help = "cells in a row", .min = 3, .max = GRID_SIDE_MAX},
    [RULE_SWAP] = {.key = "swap",
                   .standard = "on",
                   .help = "whether White may answer the first stone by taking it over",
                   .words = "off|on"},
};

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_JOINED] = {"joined", "two sides are joined"},
};

// From a cell to its six neighbours.
static const int steps[] = {-STRIDE, 1 - STRIDE, -1, 1, STRIDE - 1, STRIDE};

static int at_of(int row, int column) { return row * STRIDE + column + RIM; }

// How far a cell lies from the first side of a player.
static int distance(int player, int at) {
    return player == BLACK ? (at - RIM) / STRIDE : (at - RIM) % STRIDE;
}

static bool swap_is_open(const struct hex *s) {
    return s->may_swap && s->turn == WHITE && s->placed == 1;
}

// Marks all stones of a player that are joined to the one at `at`.
static void join(struct hex *s, int player, int at) {
    uint16_t open[GRID_CELLS_MAX]; // marked, their neighbours not yet
    int n = 0;
    plane_add(s->joined, at);
    open[n++] = (uint16_t)at;
    while (n > 0) {
        const int from = open[--n];
        if (distance(player, from) == s->size - 1)
            s->winner = (uint8_t)player;
        for (int i = 0; i < 6; i++) {
            const int near = from + steps[i];
            if (!plane_has(s->stone[player - 1], near) || plane_has(s->joined, near))
                continue;
            plane_add(s->joined, near);
            open[n++] = (uint16_t)near;
        }
    }
}

static bool touches_joined(const struct hex *s, int player, int at) {
    for (int i = 0; i < 6; i++)
        if (plane_has(s->stone[player - 1], at + steps[i]) && plane_has(s->joined, at + steps[i]))
            return true;
    return distance(player, at) == 0;
}

static void place(struct hex *s, int player, int at) {
    plane_add(s->stone[player - 1], at);
    plane_drop(s->empty, at);
    s->placed++;
    if (touches_joined(s, player, at))
        join(s, player, at);
}

static void remove_stone(struct hex *s, int player, int at) {
    plane_drop(s->stone[player - 1], at);
    plane_drop(s->joined, at);
    plane_add(s->empty, at);
    s->placed--;
}

static int turn(const void *state) { return ((const struct hex *)state)->turn; }

static int cells_left(const struct hex *s) { return s->size * s->size - s->placed; }

static int count(const void *state) {
    const struct hex *s = state;
    return s->turn ? cells_left(s) + swap_is_open(s) : 0;
}

static move nth(const void *state, int n) {
    const struct hex *s = state;
    return n == cells_left(s) ? SWAP : (move)(plane_nth(s->empty, n) - RIM);
}

static int moves(const void *state, move *list) {
    const struct hex *s = state;
    int n = 0;
    for (int word = 0; word < WORDS && s->turn; word++)
        for (uint64_t rest = s->empty[word]; rest; rest &= rest - 1)
            list[n++] = (move)(word * 64 + bits_first(rest) - RIM);
    if (swap_is_open(s))
        list[n++] = SWAP;
    return n;
}

static const char *illegal(const void *state, move m) {
    const struct hex *s = state;
    if (s->turn == 0)
        return "the game is over";
    if (m == SWAP)
        return swap_is_open(s) ? NULL : "only the first stone can be swapped, if the rules say so";
    if (m % STRIDE >= s->size || m / STRIDE >= s->size)
        return "the cell is outside the board";
    return plane_has(s->empty, (int)m + RIM) ? NULL : "the cell is taken";
}

static void apply(void *state, move m) {
    struct hex *s = state;
    const int player = s->turn;
    if (m == SWAP) {
        const int at = plane_nth(s->stone[BLACK - 1], 0);
        remove_stone(s, BLACK, at);
        place(s, WHITE, at_of(distance(WHITE, at), distance(BLACK, at)));
    } else {
        place(s, player, (int)m + RIM);
    }
    s->turn = s->winner ? 0 : (uint8_t)side_other(player);
}

static struct outcome outcome(const void *state) {
    const struct hex *s = state;
    return (struct outcome){.ending = s->turn ? ENDING_RUNNING : ENDING_JOINED,
                            .winner = s->winner};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    if (m == SWAP)
        text_put(&t, "swap");
    else
        text_put_pair(&t, (int)m / STRIDE, (int)m % STRIDE);
}

static const char *read_move(const void *state, const char *text, move *m) {
    const struct hex *s = state;
    int row, column;
    text_take_blanks(&text);
    *m = SWAP;
    if (text_is_word(text, "swap"))
        return NULL;
    if (!text_take_pair(&text, &row, &column) || !text_at_end(text))
        return "a move is written \"r,c\", or swap";
    if (row >= s->size || column >= s->size)
        return "the cell is outside the board";
    *m = (move)(row * STRIDE + column);
    return NULL;
}

static void fill_grid(const struct hex *s, char grid[static GRID_CELLS_MAX]) {
    for (int i = 0; i < s->size * s->size; i++) {
        const int at = at_of(i / s->size, i % s->size);
        grid[i] = plane_has(s->stone[0], at) ? 'X' : plane_has(s->stone[1], at) ? 'O' : '.';
    }
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    const struct hex *s = state;
    char grid[GRID_CELLS_MAX];
    fill_grid(s, grid);
    struct text t = text_begin(text, STATE_TEXT_MAX);
    grid_write(&t, s->size, s->size, grid);
    text_put_char(&t, ' ');
    text_put_char(&t, "-XO"[s->turn]);
}

// Every row half a cell further to the right, so that neighbours are neighbours.
static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    const struct hex *s = state;
    char grid[GRID_CELLS_MAX];
    fill_grid(s, grid);
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    text_put(&t, "   ");
    for (int column = 0; column < s->size; column++)
        text_put_padded(&t, column, 4);
    text_put_char(&t, '\n');
    for (int i = 0; i < s->size * s->size; i++) {
        const char mark[] = {grid[i], '\0'};
        if (i % s->size == 0)
            text_put_padded(&t, i / s->size, 3 + 2 * (i / s->size));
        text_put(&t, "   ");
        if (*mark == '.')
            text_put_mark(&t, colour, "2", mark);
        else
            text_put_player(&t, colour, *mark == 'X' ? BLACK : WHITE, mark);
        if (i % s->size == s->size - 1)
            text_put_char(&t, '\n');
    }
}

static const char *read_position(struct hex *s, const char *at) {
    char grid[GRID_CELLS_MAX];
    const char *wrong = grid_read(&at, s->size, s->size, grid);
    if (wrong)
        return wrong;
    const bool parted = text_take_blanks(&at);
    const char mark = *at;
    if (!parted || (mark != 'X' && mark != 'O' && mark != '-') || !text_at_end(at + 1))
        return "after the board stands who moves: X, O, or - when the game is over";
    int more = 0; // stones that X has more than O
    for (int i = 0; i < s->size * s->size; i++) {
        if (grid[i] == '#')
            return "no cell is blocked";
        if (grid[i] != '.')
            place(s, grid[i] == 'X' ? BLACK : WHITE, at_of(i / s->size, i % s->size));
        more += grid[i] == 'X' ? 1 : grid[i] == 'O' ? -1 : 0;
    }
    if ((mark == '-') != (s->winner != 0))
        return "- stands for a game that is over, and only for such a game";
    s->turn = mark == 'X' ? BLACK : mark == 'O' ? WHITE : 0;
    // With White to move there is one more black stone; a swap has taken one from Black.
    const int lacking = (mark == 'O') - more;
    const bool fits = lacking == 0 || (lacking == 1 && s->may_swap && s->placed > 0) ||
                      (lacking == -1 && mark == '-');
    return fits ? NULL : "the numbers of stones do not fit who moves";
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    struct hex *s = state;
    *s = (struct hex){.size = (uint8_t)set->number[RULE_SIZE],
                      .may_swap = (uint8_t)set->number[RULE_SWAP],
                      .turn = BLACK};
    for (int i = 0; i < s->size * s->size; i++)
        plane_add(s->empty, at_of(i / s->size, i % s->size));
    const char *wrong = position ? read_position(s, position) : NULL;
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

const struct game game_hex = {
    .name = "hex",
    .title = "Hex",
    .width = 11,
    .height = 11,
    .distinct_moves = SWAP + 1,
    .moves_max = GRID_CELLS_MAX,
    .plies_max = GRID_CELLS_MAX + 1,
    .state_size = sizeof(struct hex),
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .start = start,
    .due = game_due_one,
    .outcome = outcome,
    .scores = game_scores_none,
    GAME_BY_NAME,
};
