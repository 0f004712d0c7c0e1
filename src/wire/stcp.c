// SPDX-License-Identifier: MIT
// docs/protocol.md, section A: the judge's side, and below it the player's. The board is read off
// the position's text, which is public; the rules keep their own representation to themselves.
#include "spec/spec.h"
#include "wire/lines.h"
#include "wire/wire.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    LAYERS = 6,
    PAIRS_MAX = 4096, // read whole
    HEADER = 8,       // count and id
    CODE_BOARD = 1,
    CODE_STOP = 0,
};

static void put_int(struct buf *out, int32_t n) {
    const uint32_t u = (uint32_t)n;
    const unsigned char bytes[] = {(unsigned char)u, (unsigned char)(u >> 8),
                                   (unsigned char)(u >> 16), (unsigned char)(u >> 24)};
    buf_put(out, bytes, sizeof bytes);
}

static int32_t get_int(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                     (uint32_t)b[3] << 24);
}

static int cell_value(char mark) {
    return mark == 'X' ? 1 : mark == 'O' ? 2 : mark == '#' ? -1 : mark == '.' ? 0 : 3;
}

static char cell_mark(int value) {
    return value == 1 ? 'X' : value == 2 ? 'O' : value == -1 ? '#' : '.';
}

// Boards written as rows of cells with numbers for runs of empty ones (reversi, hopchess).
// Never more than there are: games may come from outside, and a switch may make their board
// smaller. Whatever else is on a cell is 3, and a cell that the board does not have is cut off.
static void read_grid(const char *text, int width, int count, int *cells) {
    int n = 0, row_end = width, run = 0;
    for (int i = 0; i < count; i++)
        cells[i] = cell_value('#');
    for (; *text && *text != ' ' && row_end <= count; text++) {
        const bool digit = *text >= '0' && *text <= '9';
        run = !digit ? 0 : run < count ? run * 10 + (*text - '0') : run;
        const bool ends = digit && (text[1] < '0' || text[1] > '9');
        for (; ends && run > 0 && n < row_end; run--)
            cells[n++] = 0;
        if (*text == '/') {
            n = row_end;
            row_end += width;
        } else if (!digit && n < row_end) {
            cells[n++] = cell_value(*text);
        }
    }
}

// Boards written as columns of pieces from the bottom up (tower4), separated by blanks and slashes.
static void read_columns(const char *text, int side, int *cells) {
    const int layer_cells = side * side;
    for (int column = 0; column < layer_cells; column++, text++) {
        const bool cut = *text == '#';
        for (int layer = 0; layer < LAYERS; layer++) {
            const bool piece = *text == 'X' || *text == 'O';
            cells[layer * layer_cells + column] = cut ? -1 : piece ? cell_value(*text) : 0;
            text += piece;
        }
        text += *text == '.' || cut;
    }
}

int stcp_cell_count(const struct game *game) {
    const int count = game->width * game->height * (spec_of(game)->has_columns ? LAYERS : 1);
    assert(count <= STCP_CELLS_MAX);
    return count;
}

void stcp_cells(const struct game *game, const void *state, int cells[static STCP_CELLS_MAX]) {
    char text[STATE_TEXT_MAX];
    game->write_state(state, text);
    if (spec_of(game)->has_columns)
        read_columns(text, game->width, cells);
    else
        read_grid(text, game->width, stcp_cell_count(game), cells);
}

static void stcp_ask(struct wire *w, const struct wire_request *request, struct buf *out) {
    const struct game *game = w->rules->game;
    const int count = stcp_cell_count(game);
    int cells[STCP_CELLS_MAX];
    if (w->skipping)
        wire_read_all(w);
    w->skipping = false;
    stcp_cells(game, request->state, cells);
    put_int(out, CODE_BOARD);
    put_int(out, w->id);
    for (int i = 0; i < count; i++)
        put_int(out, cells[i]);
    put_int(out, w->seat == 1);
}

// Nobody knows where the next message begins then: nothing is read until the next request.
static enum wire_event foul(struct wire *w, const char *what, int32_t number) {
    buf_clear(&w->words);
    buf_format(&w->words, "%s %d", what, number);
    w->skipping = true;
    return WIRE_FOUL;
}

// The pairs of an answer as a path: "r,c r,c ...".
static void put_path(struct wire *w, const char *pair, int32_t count) {
    buf_clear(&w->words);
    for (int32_t i = 0; i < count; i++, pair += 8) {
        buf_format(&w->words, "%s%d,%d", i ? " " : "", get_int(pair), get_int(pair + 4));
    }
}

static enum wire_event stcp_take(struct wire *w, struct buf *out) {
    (void)out;
    if (!w->greeted)
        return WIRE_READY;
    size_t came;
    const char *bytes = wire_unread(w, &came);
    if (w->skipping)
        wire_read_all(w);
    if (w->skipping || came < 4)
        return WIRE_NOTHING;
    const int32_t count = get_int(bytes);
    if (count < 0 || count > PAIRS_MAX)
        return foul(w, "a count of", count);
    if (came < HEADER)
        return WIRE_NOTHING;
    const int32_t id = get_int(bytes + 4);
    if (id < 1 || id > w->id)
        return foul(w, "an id that was never issued:", id);
    const size_t length = HEADER + 8 * (size_t)count;
    if (came < length)
        return WIRE_NOTHING;
    put_path(w, bytes + HEADER, count);
    wire_read(w, length);
    if (!w->asked || id != w->id)
        return WIRE_SKIPPED;
    return count == 0 ? WIRE_NO_MOVE : WIRE_ANSWER;
}

static void stcp_quit(struct wire *w, struct buf *out) {
    (void)w;
    stcp_write_stop(out);
}

bool stcp_read_team(const char *bytes, size_t length, int32_t *team) {
    if (length < 4)
        return false;
    *team = get_int(bytes);
    return true;
}

void stcp_write_stop(struct buf *out) {
    put_int(out, CODE_STOP);
    put_int(out, 0);
}

void stcp_write_team(struct buf *out, int32_t team) { put_int(out, team); }

size_t stcp_read_board(const struct game *game, const char *bytes, size_t length,
                       struct stcp_board *board) {
    const size_t count = (size_t)stcp_cell_count(game), whole = HEADER + 4 * (count + 1);
    if (length < HEADER)
        return 0;
    board->is_stop = get_int(bytes) == CODE_STOP;
    board->id = get_int(bytes + 4);
    if (board->is_stop)
        return HEADER;
    if (length < whole)
        return 0;
    for (size_t i = 0; i < count; i++)
        board->cells[i] = get_int(bytes + HEADER + 4 * i);
    board->is_black = get_int(bytes + whole - 4) != 0;
    return whole;
}

void stcp_write_step(struct buf *out, int32_t id, const char *path) {
    int32_t count = 0;
    int row, column, length;
    for (const char *at = path; sscanf(at, " %d,%d%n", &row, &column, &length) == 2; at += length)
        count++;
    put_int(out, count);
    put_int(out, id);
    for (const char *at = path; sscanf(at, " %d,%d%n", &row, &column, &length) == 2; at += length) {
        put_int(out, row);
        put_int(out, column);
    }
}

// Of a field where columns are shown by their pieces from the bottom up.
static void put_column(const int *cells, int layer_cells, struct buf *out) {
    if (cells[0] != 1 && cells[0] != 2)
        buf_format(out, "%c", cell_mark(cells[0]));
    for (int layer = 0; layer < LAYERS; layer++)
        if (cells[layer * layer_cells] == 1 || cells[layer * layer_cells] == 2)
            buf_format(out, "%c", cell_mark(cells[layer * layer_cells]));
}

void stcp_write_position(const struct game *game, const struct stcp_board *board, struct buf *out) {
    const int width = game->width, layer_cells = width * game->height;
    const bool columns = spec_of(game)->has_columns;
    for (int i = 0; i < layer_cells; i++) {
        if (i > 0 && (columns || i % width == 0))
            buf_text(out, i % width == 0 ? "/" : " ");
        if (columns)
            put_column(&board->cells[i], layer_cells, out);
        else
            buf_format(out, "%c", cell_mark(board->cells[i]));
    }
}

const struct wire_protocol wire_stcp = {
    .name = "stcp",
    .own = true,
    .ask = stcp_ask,
    .take = stcp_take,
    .quit = stcp_quit,
};
