// SPDX-License-Identifier: MIT
// Bytes that grow. Zeroed by its owner, freed by buf_done; always ended by a NUL that does not
// count.
#pragma once

#include <stddef.h>

struct buf {
    char *data; // NULL until something is put
    size_t length, room;
};

void buf_put(struct buf *buf, const void *bytes, size_t length);
void buf_text(struct buf *buf, const char *words);
__attribute__((format(printf, 2, 3))) void buf_format(struct buf *buf, const char *format, ...);
// Takes bytes away at the front, or all.
void buf_drop(struct buf *buf, size_t length);
void buf_clear(struct buf *buf);
void buf_done(struct buf *buf);
