// SPDX-License-Identifier: MIT
// 3-D four-in-a-line.
//
// Each layer is a word of 8x8 bits with the 6x6 field in its middle, so that every step out of the
// field lands on a rim that holds no piece. A line is four cells in a row; four shifted words and
// one AND test it. A shift count is taken modulo 64: a line that leaves the field meets the rim
// first, whatever the wrapped cells hold.
#include "games/bits.h"
#include "games/registry.h"
#include "games/text.h"

enum { ENDING_PIECES = 1 };

enum { SIDE = 6, LAYERS = 6, RUN = 4, STRIDE = 8, RIM = STRIDE + 1, DRAWN_ABREAST = 3 };

// The columns of the field, by the value of `corners`: three cells cut per corner, or one.
static const uint64_t fields[] = {UINT64_C(0x00183c7e7e3c1800), UINT64_C(0x003c7e7e7e7e3c00)};

struct tower {
    uint64_t piece[2][LAYERS]; // [player - 1][layer]
    uint16_t points[2];
    uint16_t lines;   // made so far, by both
    uint8_t played;   // pieces so far
    uint8_t pieces;   // when the game ends
    uint64_t corners; // which of the fields
};

enum { RULE_CORNERS, RULE_PIECES };

static const struct rule rules[] = {
    [RULE_CORNERS] = {.key = "corners",
                      .standard = "3",
                      .help = "cells cut at each corner: 3 leaves 24 columns, 1 leaves 32",
                      .words = "3|1"},
    [RULE_PIECES] = {.key = "pieces",
                     .standard = "64",
                     .help = "pieces played by both together until the game ends",
                     .min = 1,
                     .max = 32 * LAYERS},
};

static bool is_over(const struct tower *s) { return s->played >= s->pieces; }

static int mover(const struct tower *s) { return s->played % 2 + 1; }

static uint64_t field(const struct tower *s) { return fields[s->corners]; }

static uint64_t layer_taken(const struct tower *s, int layer) {
    return s->piece[0][layer] | s->piece[1][layer];
}

static uint64_t open_columns(const struct tower *s) {
    return is_over(s) ? 0 : field(s) & ~layer_taken(s, LAYERS - 1);
}

static int height(const struct tower *s, int column) {
    int n = 0;
    for (int layer = 0; layer < LAYERS; layer++)
        n += (int)(layer_taken(s, layer) >> column & 1);
    return n;
}

// Columns are bits of a layer's word; moves and texts count rows and columns from 0.
static int column_of(move m) { return (int)m + RIM; }

static int row_of(int column) { return column / STRIDE - 1; }

static int col_of(int column) { return column % STRIDE - 1; }

static uint64_t cell(uint64_t word, int column) { return word >> (column & 63); }

// Lines through a piece inside its layer: four senses, each with the piece in one of four places.
static int flat_lines(uint64_t word, int column) {
    static const int steps[] = {1, STRIDE - 1, STRIDE, STRIDE + 1};
    int n = 0;
    for (int i = 0; i < 4; i++) {
        const int d = steps[i];
        const uint64_t starts = word & word >> d & word >> 2 * d & word >> 3 * d;
        // The starts of lines that reach the piece. Where one would lie below bit 0 it wraps around
        // into the last rows, and no line can start there.
        const uint64_t through = bits_rotate(1 | bit(d) | bit(2 * d) | bit(3 * d), column - 3 * d);
        n += bits_count(starts & through);
    }
    return n;
}

// Lines through a piece that rise a layer with every step, the lowest cell on layer `base`.
static int rising_lines(const uint64_t *words, int base, int layer, int column) {
    int n = 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            const int d = down * STRIDE + right, at = column + (base - layer) * d;
            n += (int)(cell(words[base], at) & cell(words[base + 1], at + d) &
                       cell(words[base + 2], at + 2 * d) & cell(words[base + 3], at + 3 * d) & 1);
        }
    return n;
}

// All lines that go through a piece of the player.
static int lines_through(const struct tower *s, int player, int layer, int column) {
    const uint64_t *words = s->piece[player - 1];
    int n = flat_lines(words[layer], column);
    const int first = layer < RUN ? 0 : layer - RUN + 1;
    const int last = layer < LAYERS - RUN ? layer : LAYERS - RUN;
    for (int base = first; base <= last; base++)
        n += rising_lines(words, base, layer, column);
    return n;
}

static int turn(const void *state) {
    const struct tower *s = state;
    return is_over(s) ? 0 : mover(s);
}

static int count(const void *state) { return bits_count(open_columns(state)); }

static move nth(const void *state, int n) { return (move)(bits_nth(open_columns(state), n) - RIM); }

static int moves(const void *state, move *list) {
    int n = 0;
    for (uint64_t rest = open_columns(state); rest; rest &= rest - 1)
        list[n++] = (move)(bits_first(rest) - RIM);
    return n;
}

static const char *illegal(const void *state, move m) {
    const struct tower *s = state;
    if (is_over(s))
        return "the game is over";
    if (m >= 64 - RIM || !(field(s) & bit(column_of(m))))
        return "the column is cut off";
    return open_columns(s) & bit(column_of(m)) ? NULL : "the column is full";
}

static void apply(void *state, move m) {
    struct tower *s = state;
    const int player = mover(s), column = column_of(m), layer = height(s, column);
    s->piece[player - 1][layer] |= bit(column);
    s->played++;
    for (int n = lines_through(s, player, layer, column); n > 0; n--) {
        s->lines++;
        s->points[player - 1] = (uint16_t)(s->points[player - 1] + 100 / s->lines);
    }
}

static void scores(const void *state, int out[static 2]) {
    const struct tower *s = state;
    out[0] = s->points[0];
    out[1] = s->points[1];
}

static struct outcome outcome(const void *state) {
    const struct tower *s = state;
    if (!is_over(s))
        return (struct outcome){.ending = ENDING_RUNNING};
    return (struct outcome){.ending = ENDING_PIECES,
                            .winner = s->points[0] > s->points[1]   ? 1
                                      : s->points[0] < s->points[1] ? 2
                                                                    : 0};
}

static void write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state;
    struct text t = text_begin(text, MOVE_TEXT_MAX);
    text_put_pair(&t, row_of(column_of(m)), col_of(column_of(m)));
}

static const char *read_move(const void *state, const char *text, move *m) {
    (void)state;
    int row, col;
    text_take_blanks(&text);
    if (!text_take_pair(&text, &row, &col) || !text_at_end(text))
        return "a move is written \"r,c\"";
    if (row >= SIDE || col >= SIDE)
        return "row and column are 0..5";
    *m = (move)(row * STRIDE + col);
    return NULL;
}

static char piece_at(const struct tower *s, int layer, int column) {
    return s->piece[0][layer] & bit(column) ? 'X' : s->piece[1][layer] & bit(column) ? 'O' : '.';
}

static void write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    const struct tower *s = state;
    struct text t = text_begin(text, STATE_TEXT_MAX);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int column = (i / SIDE + 1) * STRIDE + i % SIDE + 1, pieces = height(s, column);
        text_put(&t, i == 0 ? "" : i % SIDE ? " " : "/");
        if (pieces == 0)
            text_put_char(&t, field(s) & bit(column) ? '.' : '#');
        for (int layer = 0; layer < pieces; layer++)
            text_put_char(&t, piece_at(s, layer, column));
    }
    text_put_char(&t, ' ');
    text_put_number(&t, s->points[0]);
    text_put_char(&t, ' ');
    text_put_number(&t, s->points[1]);
}

// Reads one column of a position: "#" where it is cut, ".", or its pieces from the bottom up.
static bool read_column(const char **at, struct tower *s, int column) {
    if (!(field(s) & bit(column)))
        return text_take(at, '#');
    if (text_take(at, '.'))
        return true;
    int layer = 0;
    while ((**at == 'X' || **at == 'O') && layer < LAYERS) {
        s->piece[**at == 'O'][layer++] |= bit(column);
        s->played++;
        ++*at;
    }
    return layer > 0;
}

// A player's lines on the board: those through each piece, and each line is met by its four pieces.
static int count_lines(const struct tower *s, int player) {
    int met = 0;
    for (int layer = 0; layer < LAYERS; layer++)
        for (uint64_t rest = s->piece[player - 1][layer]; rest; rest &= rest - 1)
            met += lines_through(s, player, layer, bits_first(rest));
    return met / RUN;
}

// What the lines from number `first` to number `last` of a game are worth.
static int worth_of(int first, int last) {
    int worth = 0;
    for (int k = first; k <= last; k++)
        worth += 100 / k;
    return worth;
}

static const char *read_points(struct tower *s, const char *at) {
    int points[2] = {0, 0};
    if (!text_at_end(at) &&
        (!text_take_blanks(&at) || !text_take_number(&at, &points[0]) || !text_take_blanks(&at) ||
         !text_take_number(&at, &points[1]) || !text_at_end(at)))
        return "after the board stand the points of X and of O";
    const int own = count_lines(s, 1), all = own + count_lines(s, 2);
    if (points[0] + points[1] != worth_of(1, all))
        return "the points do not add up to the worth of the lines on the board";
    // X's lines were the first of all at best, the last at worst.
    if (points[0] > worth_of(1, own) || points[0] < worth_of(all - own + 1, all))
        return "no order of the lines on the board gives these points";
    s->lines = (uint16_t)all;
    s->points[0] = (uint16_t)points[0];
    s->points[1] = (uint16_t)points[1];
    return NULL;
}

static const char *read_position(struct tower *s, const char *at) {
    text_take_blanks(&at);
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i > 0 && !(i % SIDE ? text_take_blanks(&at) : text_take(&at, '/')))
            return "six rows separated by / hold six columns each, separated by blanks";
        if (!read_column(&at, s, (i / SIDE + 1) * STRIDE + i % SIDE + 1))
            return "a column is . when empty, # when cut, or its pieces from the bottom up, XOX";
    }
    int more = 0; // pieces X has more than O
    for (int layer = 0; layer < LAYERS; layer++)
        more += bits_count(s->piece[0][layer]) - bits_count(s->piece[1][layer]);
    if (more != s->played % 2)
        return "X has as many pieces as O, or one more";
    if (s->played > s->pieces)
        return "more pieces on the board than the game has";
    return read_points(s, at);
}

static bool refuse_pieces(const struct ruleset *set, int columns, char why[static WHY_TEXT_MAX]) {
    struct text t = text_begin(why, WHY_TEXT_MAX);
    text_put(&t, "pieces cannot be ");
    text_put(&t, set->text[RULE_PIECES]);
    text_put(&t, " with corners=");
    text_put(&t, set->text[RULE_CORNERS]);
    text_put(&t, "; accepted: 1..");
    text_put_number(&t, columns * LAYERS);
    return false;
}

static bool start(void *state, const struct ruleset *set, const char *position,
                  char why[static WHY_TEXT_MAX]) {
    struct tower *s = state;
    *s = (struct tower){.corners = (uint64_t)set->number[RULE_CORNERS],
                        .pieces = (uint8_t)set->number[RULE_PIECES]};
    if (s->pieces > bits_count(field(s)) * LAYERS)
        return refuse_pieces(set, bits_count(field(s)), why);
    const char *wrong = position ? read_position(s, position) : NULL;
    if (wrong)
        text_copy(why, WHY_TEXT_MAX, wrong);
    return !wrong;
}

// One row of some layers side by side.
static void put_row(struct text *t, const struct tower *s, bool colour, int first, int row) {
    for (int layer = first; layer < first + DRAWN_ABREAST; layer++) {
        text_put_padded(t, row, layer > first ? 5 : 2);
        for (int col = 0; col < SIDE; col++) {
            const int column = (row + 1) * STRIDE + col + 1;
            const char mark[] = {piece_at(s, layer, column), '\0'};
            text_put_char(t, ' ');
            if (*mark != '.')
                text_put_player(t, colour, *mark == 'X' ? 1 : 2, mark);
            else
                text_put_mark(t, colour, "2", field(s) & bit(column) ? "." : " ");
        }
    }
    text_put_char(t, '\n');
}

static void put_heads(struct text *t, int first) {
    for (int layer = first; layer < first + DRAWN_ABREAST; layer++) {
        text_put(t, layer > first ? "          layer " : "   layer ");
        text_put_number(t, layer);
    }
    text_put_char(t, '\n');
    for (int i = 0; i < DRAWN_ABREAST; i++)
        text_put(t, i ? "      0 1 2 3 4 5" : "   0 1 2 3 4 5");
    text_put_char(t, '\n');
}

static void draw(const void *state, bool colour, char text[static DRAW_TEXT_MAX]) {
    const struct tower *s = state;
    struct text t = text_begin(text, DRAW_TEXT_MAX);
    for (int first = 0; first < LAYERS; first += DRAWN_ABREAST) {
        put_heads(&t, first);
        for (int row = 0; row < SIDE; row++)
            put_row(&t, s, colour, first, row);
    }
    for (int player = 1; player <= 2; player++) {
        text_put_player(&t, colour, player, player == 1 ? "X " : "  O ");
        text_put_number(&t, s->points[player - 1]);
    }
    text_put(&t, "  pieces ");
    text_put_number(&t, s->played);
    text_put(&t, " of ");
    text_put_number(&t, s->pieces);
    text_put_char(&t, '\n');
}

static const struct ending endings[] = {
    ENDING_RUNNING_WORDS,
    [ENDING_PIECES] = {"pieces", "all pieces are played"},
};

const struct game game_tower4 = {
    .name = "tower4",
    .title = "3-D four-in-a-line",
    .width = SIDE,
    .height = SIDE,
    .distinct_moves = (SIDE - 1) * STRIDE + SIDE,
    .moves_max = SIDE * SIDE - 4,
    .plies_max = (SIDE * SIDE - 4) * LAYERS,
    .state_size = sizeof(struct tower),
    .has_scores = true,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .endings = endings,
    .ending_count = sizeof endings / sizeof *endings,
    .start = start,
    .turn = turn,
    .due = game_due_one,
    .count = count,
    .nth = nth,
    .moves = moves,
    .illegal = illegal,
    .apply = apply,
    .outcome = outcome,
    .scores = scores,
    .write_move = write_move,
    .read_move = read_move,
    .write_state = write_state,
    .draw = draw,
};
