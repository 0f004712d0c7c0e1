// SPDX-License-Identifier: MIT
// Input: a stream. The byte 0xff and the one after it stand for a run of about as many x as a line
// may hold, so that a short input reaches the limit.
#include "base/lines.h"
#include "fuzz.h"

enum { RUNS_MAX = 3, RUN_MIN = LINE_MAX_BYTES - 8 };

static char *expand(const uint8_t *data, size_t size, size_t *length) {
    struct input in = {data, size};
    const bool has_run = memchr(data, 0xff, size) != NULL; // room for them makes it slow
    char *stream = mem_new(size + (has_run ? RUNS_MAX * (RUN_MIN + 16) : 0), 1), *at = stream;
    for (int runs = 0; in.left > 0;) {
        const unsigned byte = input_byte(&in);
        if (byte == 0xff && runs++ < RUNS_MAX) {
            const size_t run = RUN_MIN + input_byte(&in) % 16;
            memset(at, 'x', run);
            at += run;
        } else {
            *at++ = (char)byte;
        }
    }
    *length = (size_t)(at - stream);
    return stream;
}

// Checks what was read against the line as it is in the stream, its end taken off.
static void check_line(const struct lines *lines, const char *line, size_t length) {
    assert(lines->length <= LINE_MAX_BYTES && lines->text[lines->length] == '\0');
    assert(lines->too_long == (length > LINE_MAX_BYTES));
    assert(lines->length <= length && memcmp(lines->text, line, lines->length) == 0);
    if (!lines->too_long) {
        assert(lines->length == length);
        assert(lines->has_nul == (memchr(line, '\0', length) != NULL));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct lines lines;
    if (size == 0)
        return 0;
    size_t length;
    char *stream = expand(data, size, &length);
    lines.file = fmemopen(stream, length, "r");
    assert(lines.file);
    for (const char *at = stream, *end = stream + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        assert(lines_next(&lines));
        check_line(&lines, at, (size_t)(stop - at) - (stop > at && stop[-1] == '\r'));
        at = newline ? newline + 1 : end;
    }
    assert(!lines_next(&lines) && !ferror(lines.file));
    fclose(lines.file);
    free(stream);
    return 0;
}
