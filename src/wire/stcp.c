// SPDX-License-Identifier: MIT
// docs/protocol.md, section A. The board is read off the position's text, which is public; the
// rules keep their own representation to themselves.
#include "wire/lines.h"
#include "wire/wire.h"

#include <assert.h>
#include <string.h>

enum {
    LAYERS = 6,
    CELLS_MAX = 216,
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
    return mark == 'X' ? 1 : mark == 'O' ? 2 : mark == '#' ? -1 : 0;
}

// Boards written as rows of cells with numbers for runs of empty ones (reversi, hopchess).
static int read_grid(const char *text, int *cells) {
    int n = 0;
    for (; *text && *text != ' '; text++) {
        if (*text >= '0' && *text <= '9')
            for (int run = *text - '0'; run > 0; run--)
                cells[n++] = 0;
        else if (*text != '/')
            cells[n++] = cell_value(*text);
    }
    return n;
}

// Boards written as columns of pieces from the bottom up (tower4), parted by blanks and slashes.
static int read_columns(const char *text, int side, int *cells) {
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
    return layer_cells * LAYERS;
}

static void ask(struct wire *w, const struct wire_request *request, struct buf *out) {
    const struct game *game = w->rules->game;
    char text[STATE_TEXT_MAX];
    int cells[CELLS_MAX];
    if (w->skipping)
        wire_read_all(w);
    w->skipping = false;
    game->write_state(request->state, text);
    const bool columns = strcmp(game->name, "tower4") == 0;
    const int count = columns ? read_columns(text, game->width, cells) : read_grid(text, cells);
    assert(count <= CELLS_MAX);
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

static enum wire_event take(struct wire *w, struct buf *out) {
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

static void quit(struct wire *w, struct buf *out) {
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

const struct wire_protocol wire_stcp = {
    .name = "stcp",
    .games = "reversi tower4 hopchess",
    .ask = ask,
    .take = take,
    .quit = quit,
};
