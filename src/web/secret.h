// SPDX-License-Identifier: MIT
// Secrets: drawn, compared, and kept in files that only their owner may read.
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { SECRET_TEXT_MAX = 41 }; // 160 bits in hexadecimal

bool secret_draw(char text[static SECRET_TEXT_MAX], struct err *err);
// Whether a text can be one.
bool secret_is_one(const char *text);
// Whether two are the same; takes as long for every wrong one of a length. "" is like none.
bool secret_same(const char *a, const char *b);

enum secret_file {
    SECRET_MISSING,
    SECRET_GOOD,
    SECRET_SEEN,    // others may read or write it: what it holds is no secret
    SECRET_REFUSED, // a link, no file, or another user's; the error says which
};

// Reads a file of secrets, up to `most` bytes, if nobody else can.
enum secret_file secret_read(const char *path, size_t most, struct buf *out, struct err *err);
// Writes it anew, for its owner alone, whole or not at all.
bool secret_write(const char *path, const void *bytes, size_t size, struct err *err);
