// SPDX-License-Identifier: MIT
// Of what comes at once a line is at most NOISE_LINE_MAX bytes; a longer one is handed over in
// pieces, and `goes_on` says that its beginning was. The last line that is not empty is kept, as
// it began, for it mostly says why a program ended. Python says the line of the source before that,
// once for every function on the way, as in
//   Traceback (most recent call last):
//     File "player.py", line 14, in <module>
//       answer = board[65]
//   IndexError: list index out of range
#include "referee/noise.h"

#include "base/readable.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LAST_MAX = 160,
    LINES_MAX = 20000,
    TAIL_BYTES = 4096,
    TAIL_LINES = 40,
};

static bool is_empty(const char *bytes, size_t length) {
    while (length > 0 && strchr(" \t\r\n", bytes[length - 1]))
        length--;
    return length == 0;
}

// The line of a file that a traceback names; 0: it does not, or the file is Python's own.
static int find_place(const char *bytes, size_t length) {
    static const char before[] = "  File \"", mark[] = "\", line ";
    char text[NOISE_LINE_MAX + 1];
    if (length < sizeof before || memcmp(bytes, before, sizeof before - 1) != 0)
        return 0;
    memcpy(text, bytes, length);
    text[length] = '\0';
    const char *at = strstr(text, mark);
    if (!at || text[sizeof before - 1] == '<' || strstr(text, "/lib/python"))
        return 0;
    const long line = strtol(at + sizeof mark - 1, NULL, 10);
    return line > 0 && line < INT_MAX ? (int)line : 0;
}

// What is indented belongs to a traceback, and what is not ends it.
static void look_for_place(struct noise *n, size_t length) {
    const int at = find_place(n->line, length);
    const bool indented = *n->line == ' ';
    if (!indented)
        n->last_at = n->at;
    if (at || !indented)
        n->at = at;
}

// Hands over so much of the line, and keeps how it begins.
static void hand_over(struct noise *n, size_t length,
                      void (*line)(void *owner, const char *bytes, size_t length), void *owner) {
    assert(length > 0 && length <= n->length);
    const bool empty = is_empty(n->line, length), ended = n->line[length - 1] == '\n';
    if (!empty && !n->goes_on) {
        memcpy(n->last, n->line, length);
        n->last_length = length;
        look_for_place(n, length);
    }
    if (!empty || !n->goes_on)
        line(owner, n->line, length);
    n->lines += n->lines < LINES_MAX;
    n->length -= length;
    memmove(n->line, n->line + length, n->length);
    n->goes_on = !ended && (n->goes_on || !empty);
}

void noise_end(struct noise *n, void (*line)(void *owner, const char *bytes, size_t length),
               void *owner) {
    if (n->length > 0)
        hand_over(n, n->length, line, owner);
    n->goes_on = false;
}

// How much of the end is looked at: enough for a traceback.
static size_t tail_of(const char *bytes, size_t length) {
    size_t tail = 0;
    for (int lines = 0; tail < length && tail < TAIL_BYTES; tail++)
        if (bytes[length - 1 - tail] == '\n' && lines++ == TAIL_LINES)
            break;
    return tail;
}

void noise_take(struct noise *n, const char *bytes, size_t length,
                void (*line)(void *owner, const char *bytes, size_t length), void *owner) {
    const size_t tail = n->lines == LINES_MAX ? tail_of(bytes, length) : length;
    if (tail < length) {
        bytes += length - tail;
        length = tail;
        n->length = 0;
        n->goes_on = false;
    }
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        const size_t room = sizeof n->line - n->length,
                     all = end ? (size_t)(end - bytes) + 1 : length, part = all < room ? all : room;
        memcpy(n->line + n->length, bytes, part);
        n->length += part;
        bytes += part;
        length -= part;
        if (n->line[n->length - 1] == '\n')
            hand_over(n, n->length, line, owner);
        else if (n->length == sizeof n->line)
            hand_over(n, readable_whole(n->line, n->length), line, owner);
    }
}

void noise_words(const struct noise *n, char words[static NOISE_WORDS_MAX]) {
    struct buf text = {.data = NULL};
    size_t length = n->last_length;
    words[0] = '\0';
    while (length > 0 && strchr("\r\n", n->last[length - 1]))
        length--;
    if (length > 0 && n->last_at && *n->last != ' ')
        buf_format(&text, "line %d: ", n->last_at);
    if (length > 0)
        readable_put(&text, n->last, length, LAST_MAX);
    if (text.data)
        snprintf(words, NOISE_WORDS_MAX, "%.*s",
                 (int)readable_cut(text.data, text.length, NOISE_WORDS_MAX - 1), text.data);
    buf_done(&text);
}
