// SPDX-License-Identifier: MIT
#include "base/json.h"

#include "base/mem.h"

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

void json_print_line(FILE *file, json_t *take_value) {
    json_dumpf(take_value, file, JSON_LINE);
    fputc('\n', file);
    json_decref(take_value);
}
