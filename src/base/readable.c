// SPDX-License-Identifier: MIT
// Text is UTF-8 if all of it is; otherwise CP949 is tried, which Korean Windows writes; otherwise
// it stays as it is, and bytes that are no character are escaped one by one. Where a text is cut,
// or comes in pieces, the cut must not fall into a character, whose length depends on which of the
// two it is: of bytes that can be both, UTF-8 is believed.
#include "base/readable.h"

#include "base/plain.h"

#include <iconv.h>

// The character that begins here, and how many bytes it has; 0: it is none of UTF-8.
static size_t take_character(const char *bytes, size_t length, uint32_t *character) {
    const int size = plain_letter(bytes, length, character);
    const uint32_t c = *character;
    return size <= 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : (size_t)size;
}

static bool is_utf8(const char *bytes, size_t length) {
    uint32_t unused = 0;
    for (size_t size; length > 0; bytes += size, length -= size)
        if ((size = take_character(bytes, length, &unused)) == 0)
            return false;
    return true;
}

// Controls, and what changes lines or the direction of writing.
static bool is_hidden(uint32_t c) {
    return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
           (c >= 0x200e && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static void escape(struct buf *out, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        buf_format(out, "\\x%02x", (unsigned char)bytes[i]);
}

bool readable_convert(struct buf *out, const char *bytes, size_t length) {
    if (is_utf8(bytes, length)) {
        buf_put(out, bytes, length);
        return true;
    }
    iconv_t converter = iconv_open("UTF-8", "CP949");
    if (converter == (iconv_t)-1)
        return false;
    struct buf text = {.data = NULL};
    char piece[256], *from = (char *)bytes;
    size_t left = length;
    bool good = true;
    while (left > 0 && good) {
        char *to = piece;
        size_t room = sizeof piece;
        const size_t before = left;
        iconv(converter, &from, &left, &to, &room); // stops at what it cannot read, or without room
        buf_put(&text, piece, sizeof piece - room);
        good = left < before;
    }
    iconv_close(converter);
    if (good)
        buf_put(out, text.data, text.length);
    buf_done(&text);
    return good;
}

// Bytes at the end that a character of UTF-8 begins with, and that are not all of it.
static size_t begun_utf8(const char *bytes, size_t length) {
    size_t n = 1;
    while (n < length && n < 4 && ((unsigned char)bytes[length - n] & 0xc0) == 0x80)
        n++;
    const unsigned char first = length > 0 ? (unsigned char)bytes[length - n] : 0;
    const size_t size = first < 0xc0 || first >= 0xf8 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return n < size ? n : 0;
}

// The same for CP949, whose characters have two bytes, the first with the upper bit set.
static size_t begun_cp949(const char *bytes, size_t length) {
    size_t at = 0;
    while (at < length)
        at += (unsigned char)bytes[at] < 0x80 ? 1 : 2;
    return at > length ? 1 : 0;
}

static bool is_readable(const char *bytes, size_t length) {
    struct buf unused = {.data = NULL};
    const bool good = readable_convert(&unused, bytes, length);
    buf_done(&unused);
    return good;
}

size_t readable_whole(const char *bytes, size_t length) {
    const size_t utf8 = length - begun_utf8(bytes, length),
                 cp949 = length - begun_cp949(bytes, length);
    return is_utf8(bytes, utf8) || !is_readable(bytes, cp949) ? utf8 : cp949;
}

size_t readable_cut(const char *text, size_t length, size_t max) {
    if (length <= max)
        return length;
    while (max > 0 && ((unsigned char)text[max] & 0xc0) == 0x80)
        max--;
    return max;
}

static void put_plain(struct buf *out, const char *text, size_t length) {
    uint32_t c = 0;
    for (size_t size; length > 0; text += size, length -= size) {
        size = take_character(text, length, &c);
        if (size > 0 && !is_hidden(c))
            buf_put(out, text, size);
        else
            escape(out, text, size = size ? size : 1);
    }
}

void readable_put(struct buf *out, const char *bytes, size_t length, size_t max) {
    struct buf text = {.data = NULL};
    if (!readable_convert(&text, bytes, length)) // characters among it that can be read are shown
        buf_put(&text, bytes, length);
    const size_t kept = readable_cut(text.data, text.length, max);
    put_plain(out, text.data, kept);
    if (kept < text.length)
        buf_text(out, "...");
    buf_done(&text);
}
