// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

void *mem_new(size_t count, size_t size) {
    void *p = calloc(count, size);
    if (!p) {
        fprintf(stderr, "out of memory: %zu times %zu bytes\n", count, size);
        abort();
    }
    return p;
}
