// SPDX-License-Identifier: MIT
// Unsafe are, besides what is no UTF-8: C0 but for the line end and the tab, DEL, C1 (U+009B begins
// a sequence as ESC [ does, in two bytes), the line and paragraph separators, and the signs that
// embed, override or isolate a direction of writing. A carriage return before a line end is left
// out, for texts from Windows; any other would let a line be overwritten.
#include "base/plain.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct range {
    uint32_t from, to;
} unsafe[] = {{0, 0x08},          {0x0a, 0x1f},          {0x7f, 0x9f},     {0x2028, 0x2029},
              {0x202a, 0x202e},   {0x2066, 0x2069},      {0xd800, 0xdfff}, {0xfffe, 0xffff},
              {0xe0001, 0xe007f}, {0x110000, UINT32_MAX}};

// Spaces, line ends and what takes room or none and shows nothing, as the fillers of Hangul.
static const struct range hollow[] = {
    {0, 0x20},        {0x7f, 0xa0},     {0xad, 0xad},     {0x115f, 0x1160}, {0x1680, 0x1680},
    {0x180e, 0x180e}, {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x2800, 0x2800},
    {0x3000, 0x3000}, {0x3164, 0x3164}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}};

static bool is_among(uint32_t letter, const struct range *ranges, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (letter >= ranges[i].from && letter <= ranges[i].to)
            return true;
    return false;
}

static bool is_unsafe(uint32_t letter) {
    return is_among(letter, unsafe, sizeof unsafe / sizeof *unsafe);
}

int plain_letter(const char *text, size_t length, uint32_t *letter) {
    assert(length > 0);
    static const struct {
        unsigned char mask, mark;
        uint32_t least; // fewer bytes would do for less
    } forms[] = {{0x80, 0, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *bytes = (const unsigned char *)text;
    for (int form = 0; form < 4; form++) {
        if ((bytes[0] & forms[form].mask) != forms[form].mark)
            continue;
        *letter = bytes[0] & (unsigned char)~forms[form].mask;
        for (int i = 1; i <= form; i++) {
            if ((size_t)i >= length)
                return PLAIN_CUT;
            if ((bytes[i] & 0xc0) != 0x80)
                return 0;
            *letter = *letter << 6 | (bytes[i] & 0x3f);
        }
        return *letter >= forms[form].least ? form + 1 : 0;
    }
    return 0;
}

// Appends what is safe of a text; returns how many bytes at its end wait for more.
static size_t put_safe(struct buf *out, const char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t letter = 0;
        const int size = plain_letter(bytes + at, length - at, &letter);
        const bool returns = size == 1 && letter == '\r';
        if (size == PLAIN_CUT || (returns && at + 1 == length))
            return length - at;
        if (returns && bytes[at + 1] == '\n')
            ; // left out
        else if (size == 1 && letter == '\n')
            buf_put(out, "\n", 1);
        else if (size == 0 || is_unsafe(letter))
            buf_put(out, "?", 1);
        else
            buf_put(out, bytes + at, (size_t)size);
        at += size ? (size_t)size : 1;
    }
    return 0;
}

bool plain_is_blank(const char *text) {
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t letter;
        const int length = plain_letter(text, left, &letter);
        if (length <= 0 || !is_among(letter, hollow, sizeof hollow / sizeof *hollow))
            return false;
        text += length;
        left -= (size_t)length;
    }
    return true;
}

void plain_feed(struct plain *plain, const char *bytes, size_t length, struct buf *out) {
    assert(plain->count <= sizeof plain->held);
    struct buf all = {.data = NULL};
    if (length == 0)
        return;
    buf_put(&all, plain->held, plain->count);
    buf_put(&all, bytes, length);
    plain->count = put_safe(out, all.data, all.length);
    memcpy(plain->held, all.data + all.length - plain->count, plain->count);
    buf_done(&all);
}

void plain_end(struct plain *plain, struct buf *out) {
    if (plain->count)
        buf_put(out, "?", 1);
    plain->count = 0;
}

void plain_put(struct buf *out, const char *bytes, size_t length) {
    struct plain plain = {.count = 0};
    plain_feed(&plain, bytes, length, out);
    plain_end(&plain, out);
}

void plain_clean(char *line) {
    size_t to = 0;
    for (size_t at = 0, length = strlen(line); at < length;) {
        uint32_t letter = 0;
        const int size = plain_letter(line + at, length - at, &letter);
        const bool safe = size > 0 && letter != '\t' && !is_unsafe(letter);
        memmove(line + to, safe ? line + at : "?", safe ? (size_t)size : 1);
        to += safe ? (size_t)size : 1;
        at += size > 0 ? (size_t)size : size == PLAIN_CUT ? length - at : 1;
        if (at == length)
            line[to] = '\0';
    }
}

void plain_write(FILE *file, const char *bytes, size_t length) {
    struct buf out = {.data = NULL};
    plain_put(&out, bytes, length);
    if (out.length)
        fwrite(out.data, 1, out.length, file);
    buf_done(&out);
}

void plain_print(FILE *file, const char *format, ...) {
    va_list args;
    char *text = NULL;
    va_start(args, format);
    const int length = vasprintf(&text, format, args);
    va_end(args);
    if (length >= 0)
        plain_write(file, text, (size_t)length);
    if (length >= 0)
        free(text);
}

void plain_write_json(FILE *file, const char *text) {
    for (size_t at = 0, length = strlen(text); at < length;) {
        uint32_t letter = 0;
        const int size = plain_letter(text + at, length - at, &letter);
        const bool safe = size > 0 && (!is_unsafe(letter) || letter == '\n');
        if (safe)
            fwrite(text + at, 1, (size_t)size, file);
        else if (size > 0 && letter > 0xffff) // as two halves
            fprintf(file, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((letter - 0x10000) >> 10)),
                    (unsigned)(0xdc00 + (letter & 0x3ff)));
        else
            fprintf(file, "\\u%04x", size > 0 ? (unsigned)letter : 0xfffdU);
        at += size > 0 ? (size_t)size : 1;
    }
}
