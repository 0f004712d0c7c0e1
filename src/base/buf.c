// SPDX-License-Identifier: MIT
#include "base/buf.h"

#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct buf *buf, size_t more) {
    const size_t needed = buf->length + more + 1;
    if (needed <= buf->room)
        return;
    size_t room = buf->room ? buf->room : 256;
    while (room < needed)
        room *= 2;
    buf->data = mem_resize(buf->data, room);
    buf->room = room;
}

void buf_put(struct buf *buf, const void *bytes, size_t length) {
    assert(bytes || length == 0);
    make_room(buf, length);
    if (length > 0)
        memcpy(buf->data + buf->length, bytes, length);
    buf->length += length;
    buf->data[buf->length] = '\0';
}

void buf_text(struct buf *buf, const char *words) { buf_put(buf, words, strlen(words)); }

void buf_format(struct buf *buf, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length > 0) {
        make_room(buf, (size_t)length);
        vsnprintf(buf->data + buf->length, (size_t)length + 1, format, again);
        buf->length += (size_t)length;
    }
    va_end(again);
}

void buf_drop(struct buf *buf, size_t length) {
    assert(length <= buf->length);
    if (length == 0)
        return;
    buf->length -= length;
    memmove(buf->data, buf->data + length, buf->length + 1);
}

void buf_clear(struct buf *buf) { buf_drop(buf, buf->length); }

void buf_done(struct buf *buf) {
    free(buf->data);
    *buf = (struct buf){.data = NULL};
}
