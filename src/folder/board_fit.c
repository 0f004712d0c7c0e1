// SPDX-License-Identifier: MIT
// As the page reads them (web/boards/described.js, spelling.js): a position begins with a grid for
// each layer, and a word of a move is a cell if it is written like one.
#include "folder/board_fit.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct board_size {
    int rows, columns, layers;
};

// A number, or what a switch says: the number that its value begins with.
static int side_of(const json_t *board, const char *key, const struct ruleset *rules) {
    const json_t *value = json_object_get(board, key);
    const char *name = json_string_value(value);
    for (int i = 0; name && i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, name) == 0)
            return atoi(rules->text[i]);
    return (int)json_integer_value(value);
}

static bool has_mark(const json_t *board, char letter) {
    const json_t *marks = json_object_get(board, "marks");
    for (size_t i = 0; i < json_array_size(marks); i++)
        if (json_string_value(json_object_get(json_array_get(marks, i), "mark"))[0] == letter)
            return true;
    return letter == '.';
}

static bool tell_size(const char *what, int has, int wanted, struct buf *fault) {
    buf_format(fault,
               "board.conf: the start position has %d %s, the board %d; say %s = %d, or write the "
               "position as docs/board-conf.md says",
               has, what, wanted, what, has);
    return false;
}

// One row, up to a slash, a blank or the end.
static bool fits_row(const json_t *board, const char **at, int columns, struct buf *fault) {
    int cells = 0;
    for (; **at && !strchr("/ ", **at); ++*at) {
        if (isdigit((unsigned char)**at)) {
            char *end;
            const long run = strtol(*at, &end, 10);
            cells += run < 1000 ? (int)run : 1000;
            *at = end - 1;
            continue;
        }
        cells++;
        if (!has_mark(board, **at)) {
            buf_format(
                fault,
                "board.conf: the start position has the letter '%c', which is none of the marks",
                **at);
            return false;
        }
    }
    return cells == columns || tell_size("columns", cells, columns, fault);
}

static bool fits_grid(const json_t *board, const struct board_size *size, const char *text,
                      struct buf *fault) {
    for (int layer = 0; layer < size->layers; layer++) {
        int rows = 0;
        if (!*text)
            return tell_size("layers", layer, size->layers, fault);
        do {
            if (!fits_row(board, &text, size->columns, fault))
                return false;
            rows++;
        } while (*text++ == '/');
        if (rows != size->rows)
            return tell_size("rows", rows, size->rows, fault);
        text -= text[-1] == '\0';
    }
    return true;
}

// The numbers of a word that is written like a cell, in the order of its form; 0: it is none.
static int numbers_of(const char *word, int numbers[static 3]) {
    int count = 0, end = 0;
    while (count < 3 && sscanf(word, "%4d%n", &numbers[count], &end) == 1 &&
           isdigit((unsigned char)*word)) {
        word += end;
        count++;
        if (*word != ',')
            break;
        word++;
    }
    return *word ? 0 : count;
}

// Whether a word is no cell of the form, or one that the board has.
static bool fits_word(const char *form, const struct board_size *size, const char *word) {
    int n[3] = {0};
    if (strcmp(form, "a1") == 0) {
        if (!islower((unsigned char)*word) || numbers_of(word + 1, n) != 1)
            return true;
        return *word - 'a' < size->columns && n[0] >= 1 && n[0] <= size->rows;
    }
    const int count = numbers_of(word, n);
    if (strcmp(form, "column") == 0)
        return count != 1 || n[0] < size->columns;
    if (strcmp(form, "layer,row,column") == 0)
        return count != 3 || (n[0] < size->layers && n[1] < size->rows && n[2] < size->columns);
    const bool swapped = strcmp(form, "column,row") == 0;
    return count != 2 || (n[swapped] < size->rows && n[!swapped] < size->columns);
}

static bool fits_move(const json_t *board, const struct board_size *size, const char *text,
                      struct buf *fault) {
    const char *form = json_string_value(json_object_get(board, "cell"));
    char copy[MOVE_TEXT_MAX], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (const char *word; (word = strsep(&rest, " "));) {
        if (fits_word(form, size, word))
            continue;
        buf_format(
            fault,
            "board.conf: the legal move '%s' has the cell %s (cell = \"%s\"), which a board of "
            "%d rows, %d columns and %d layers does not have",
            text, word, form, size->rows, size->columns, size->layers);
        return false;
    }
    return true;
}

bool board_fit(const json_t *board, const struct ruleset *rules, const void *state,
               struct buf *fault) {
    const struct game *game = rules->game;
    const struct board_size size = {side_of(board, "rows", rules), side_of(board, "columns", rules),
                                    side_of(board, "layers", rules)};
    char position[STATE_TEXT_MAX], text[MOVE_TEXT_MAX];
    move *list = mem_new((size_t)game->moves_max, sizeof *list);
    game->write_state(state, position);
    bool good = fits_grid(board, &size, position, fault);
    const int count = game->moves(state, list);
    for (int i = 0; good && i < count; i++) {
        game->write_move(state, list[i], text);
        good = fits_move(board, &size, text, fault);
    }
    free(list);
    return good;
}
