// SPDX-License-Identifier: MIT
// A line is 64 squares, row by row from A1, X, O and - for none; a blank and who moves; and after a
// semicolon moves with the values that somebody has found for them, as in "H5:+6;". Everything is
// held against the board, so that what is read can be solved.
#include "engine/reversi/obf.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, SQUARES = SIDE * SIDE, VALUE_LIMIT = 127 };

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

// Some editors put a mark of UTF-8 in front of a file.
static const char *skip_mark(const char *at) {
    return at + (strncmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
}

bool obf_is_remark(const char *line) {
    line = skip_blanks(skip_mark(line));
    return *line == '\0' || *line == '%';
}

static const char *read_squares(const char *at, const struct variant *v, struct board *b) {
    *b = (struct board){0};
    for (int i = 0; i < SQUARES; i++) {
        const bool cut = !(v->squares >> i & 1);
        if (at[i] == '\0' || !strchr(cut ? "XxOo-.#" : "XxOo-.", at[i]))
            return "a position is 64 squares, each X, O, - or .";
        if (cut && strchr("XxOo", at[i]))
            return "there is a disc on a corner, which is not part of the open board";
        b->own |= strchr("Xx", at[i]) ? bit(i) : 0;
        b->other |= strchr("Oo", at[i]) ? bit(i) : 0;
    }
    return NULL;
}

// A move and its value, or an entry for none; moves `at` past it.
static const char *read_move(const char **at, uint64_t legal, struct obf *obf) {
    const char *p = *at;
    const int column = (p[0] | 32) - 'a', row = p[0] ? p[1] - '1' : -1;
    const bool none = strncmp(p, "--:", 3) == 0;
    if (!none && (column < 0 || column >= SIDE || row < 0 || row >= SIDE || p[2] != ':'))
        return "a move is written as in H5:+6;";
    char *end;
    const long value = strtol(p + 3, &end, 10);
    if (end == p + 3 || value < -VALUE_LIMIT || value > VALUE_LIMIT)
        return "a move's value is a number, as in H5:+6;";
    if (!none && !(legal >> (row * SIDE + column) & 1))
        return "one of the moves is not legal there";
    if (!none && obf->count == OBF_MOVES_MAX)
        return "there are too many moves";
    if (!none) {
        obf->move[obf->count].square = row * SIDE + column;
        obf->move[obf->count++].value = (int)value;
    }
    *at = skip_blanks(end);
    return NULL;
}

static const char *read_moves(const char *at, uint64_t legal, struct obf *obf) {
    for (at = skip_blanks(at); *at;) {
        const char *why = read_move(&at, legal, obf);
        if (why)
            return why;
        if (*at && *at != ';')
            return "moves are separated by ;";
        at = skip_blanks(at + (*at == ';'));
    }
    return NULL;
}

const char *obf_read(const char *line, const struct variant *v, struct obf *obf) {
    const char *at = skip_blanks(skip_mark(line));
    obf->count = 0;
    const char *why = read_squares(at, v, &obf->board);
    if (why)
        return why;
    at = skip_blanks(at + SQUARES);
    if (*at == '\0' || !strchr("XxOo", *at))
        return "after the squares stands who moves, X or O";
    if (strchr("Oo", *at))
        obf->board = board_pass(&obf->board);
    at = skip_blanks(at + 1);
    if (*at && *at != ';')
        return "after who moves stands ;";
    const struct board passed = board_pass(&obf->board);
    const uint64_t legal = board_moves(&obf->board, v);
    if (!board_empty(&obf->board, v))
        return "the board is full";
    if (!legal && !board_moves(&passed, v))
        return "the game is over: nobody can move";
    return read_moves(at + (*at == ';'), legal, obf);
}

bool obf_value(const struct obf *obf, int square, int *value) {
    for (int i = 0; i < obf->count; i++)
        if (obf->move[i].square == square) {
            *value = obf->move[i].value;
            return true;
        }
    return false;
}

bool obf_best(const struct obf *obf, int *value) {
    for (int i = 0; i < obf->count; i++)
        if (i == 0 || obf->move[i].value > *value)
            *value = obf->move[i].value;
    return obf->count > 0;
}

void obf_write_square(int square, char text[static 3]) {
    text[0] = (char)('A' + square % SIDE);
    text[1] = (char)('1' + square / SIDE);
    text[2] = '\0';
}
