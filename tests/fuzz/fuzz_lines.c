// SPDX-License-Identifier: MIT
// Input: a stream. Once, the byte 0xff and one below 16 after it stand for a run of about as many x
// as a line may hold, so that a short input reaches the limit.
#include "base/lines.h"
#include "fuzz.h"

enum { RUN_MIN = LINE_MAX_BYTES - 8, RUN_MORE = 16 };

static char *expand(const uint8_t *data, size_t size, size_t *length) {
    struct input in = {data, size};
    const uint8_t *run = memchr(data, 0xff, size);
    if (run && (run + 1 == data + size || run[1] >= RUN_MORE))
        run = NULL;
    char *stream = mem_new(size + (run ? RUN_MIN + RUN_MORE : 0), 1), *at = stream;
    while (in.left > 0) {
        if (in.at == run) {
            input_byte(&in);
            const size_t many = RUN_MIN + input_byte(&in);
            memset(at, 'x', many);
            at += many;
        } else {
            *at++ = (char)input_byte(&in);
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
