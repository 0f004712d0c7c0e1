// SPDX-License-Identifier: MIT
#include "base/json.h"

#include "base/mem.h"
#include "base/plain.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

json_t *json_text(const char *words) {
    json_t *value = json_string(words);
    if (value)
        return value;
    char *copy = mem_text(words);
    for (char *p = copy; *p; p++)
        if (*p < ' ' || *p > '~')
            *p = '?';
    value = json_string(copy);
    free(copy);
    return value;
}

bool json_whole(const json_t *value, int64_t least, int64_t most, int64_t *number) {
    assert(least <= most);
    const json_int_t whole = json_integer_value(value);
    if (!json_is_integer(value) || whole < least || whole > most)
        return false;
    *number = whole;
    return true;
}

int json_int(const json_t *value, int otherwise) {
    int64_t number = otherwise;
    json_whole(value, INT_MIN, INT_MAX, &number);
    return (int)number;
}

bool json_put(struct buf *out, json_t *take_value) {
    char *text = json_dumps(take_value, JSON_LINE | JSON_ENCODE_ANY);
    const bool good = text != NULL;
    if (good)
        buf_text(out, text);
    free(text);
    json_decref(take_value);
    return good;
}

void json_print_line(FILE *file, json_t *take_value) {
    char *text = json_dumps(take_value, JSON_LINE | JSON_ENCODE_ANY);
    if (text)
        plain_write_json(file, text);
    fputc('\n', file);
    free(text);
    json_decref(take_value);
}
