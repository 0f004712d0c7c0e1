// SPDX-License-Identifier: MIT
// Of what comes at once a line is at most NOISE_LINE_MAX bytes; a longer one is handed over in
// pieces, and `goes_on` says that its beginning was. The last line that is not empty is kept, as
// it began, for it mostly says why a program ended.
#include "referee/noise.h"

#include "base/readable.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    LAST_MAX = 160,
    LINES_MAX = 20000,
    TAIL_BYTES = 2 * LAST_MAX,
};

static bool is_empty(const char *bytes, size_t length) {
    while (length > 0 && strchr(" \t\r\n", bytes[length - 1]))
        length--;
    return length == 0;
}

// Hands over so much of the line, and keeps how it begins.
static void hand_over(struct noise *n, size_t length,
                      void (*line)(void *owner, const char *bytes, size_t length), void *owner) {
    assert(length > 0 && length <= n->length);
    const bool empty = is_empty(n->line, length), ended = n->line[length - 1] == '\n';
    if (!empty && !n->goes_on) {
        memcpy(n->last, n->line, length);
        n->last_length = length;
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

void noise_take(struct noise *n, const char *bytes, size_t length,
                void (*line)(void *owner, const char *bytes, size_t length), void *owner) {
    if (n->lines == LINES_MAX && length > TAIL_BYTES) {
        bytes += length - TAIL_BYTES;
        length = TAIL_BYTES;
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
    if (length > 0)
        readable_put(&text, n->last, length, LAST_MAX);
    if (text.data)
        snprintf(words, NOISE_WORDS_MAX, "%.*s",
                 (int)readable_cut(text.data, text.length, NOISE_WORDS_MAX - 1), text.data);
    buf_done(&text);
}
