// SPDX-License-Identifier: MIT
#include "base/whole.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool text_whole(const char *text, int64_t least, int64_t most, int64_t *number) {
    assert(least <= most);
    const char *digits = text + (*text == '-');
    char *end;
    if (*digits < '0' || *digits > '9')
        return false;
    errno = 0;
    const long long whole = strtoll(text, &end, 10);
    if (errno || *end || whole < least || whole > most)
        return false;
    *number = whole;
    return true;
}

int text_among(const char *word, const char *const *list, int count) {
    int i = 0;
    while (i < count && strcmp(list[i], word) != 0)
        i++;
    return i;
}

bool text_seconds(const char *text, int64_t *us) {
    char *end;
    const double seconds = strtod(text, &end);
    const bool plain = *text >= '0' && *text <= '9' && *end == '\0' &&
                       strspn(text, "0123456789.eE+-") == strlen(text);
    if (!plain || !(seconds >= 0.001 && seconds <= 86400))
        return false;
    *us = (int64_t)(seconds * 1e6 + 0.5);
    return true;
}
