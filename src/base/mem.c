// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *check(void *p, size_t size) {
    if (!p) {
        fprintf(stderr, "out of memory: %zu bytes\n", size);
        abort();
    }
    return p;
}

void *mem_new(size_t count, size_t size) { return check(calloc(count, size), count * size); }

void *mem_resize(void *old, size_t size) { return check(realloc(old, size), size); }

char *mem_text(const char *words) { return check(strdup(words), strlen(words) + 1); }
