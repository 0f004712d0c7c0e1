// SPDX-License-Identifier: MIT
#include "base/lines.h"

#include <assert.h>

bool lines_next(struct lines *lines) {
    assert(lines->file);
    lines->length = 0;
    lines->too_long = lines->has_nul = false;
    int c = getc_unlocked(lines->file);
    if (c == EOF)
        return false;
    for (; c != EOF && c != '\n'; c = getc_unlocked(lines->file)) {
        if (lines->length > LINE_MAX_BYTES) { // one more, which may be the \r of the line's end
            lines->too_long = true;
            continue;
        }
        lines->has_nul |= c == '\0';
        lines->text[lines->length++] = (char)c;
    }
    if (!lines->too_long && lines->length > 0 && lines->text[lines->length - 1] == '\r')
        lines->length--;
    if (lines->length > LINE_MAX_BYTES) {
        lines->too_long = true;
        lines->length = LINE_MAX_BYTES;
    }
    lines->text[lines->length] = '\0';
    return true;
}
