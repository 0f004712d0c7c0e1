// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64 };

static void *check(void *p, size_t size) {
    if (!p) {
        fprintf(stderr, "out of memory: %zu bytes\n", size);
        abort();
    }
    return p;
}

void *mem_new(size_t count, size_t size) { return check(calloc(count, size), count * size); }

void *mem_lines(size_t size) {
    const size_t whole = (size + LINE - 1) / LINE * LINE;
    return memset(check(aligned_alloc(LINE, whole), whole), 0, whole);
}

void *mem_resize(void *old, size_t size) { return check(realloc(old, size), size); }

char *mem_text(const char *words) { return check(strdup(words), strlen(words) + 1); }

uint64_t mem_sum(const void *bytes, size_t size) {
    struct rng sum = {size};
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        const size_t rest = size - i;
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + i, rest < sizeof word ? rest : sizeof word);
        sum.state = rng_next(&sum) ^ word;
    }
    return rng_next(&sum);
}

bool mem_is_sanitized(void) {
#if defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
    return __has_feature(address_sanitizer);
#else
    return false;
#endif
}
