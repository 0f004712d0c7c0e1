// SPDX-License-Identifier: MIT
#include "contest/pool.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 256 }; // a power of two, as all that follow

// FNV-1a.
static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

// Where a text is, or would be.
static char **find(const struct pool *p, const char *text) {
    size_t at = hash_of(text) & (p->room - 1);
    while (p->slots[at] && strcmp(p->slots[at], text) != 0)
        at = (at + 1) & (p->room - 1);
    return &p->slots[at];
}

static void grow(struct pool *p) {
    struct pool more = {.count = p->count, .room = p->room ? 2 * p->room : ROOM_FIRST};
    more.slots = mem_new(more.room, sizeof *more.slots);
    for (size_t i = 0; i < p->room; i++)
        if (p->slots[i])
            *find(&more, p->slots[i]) = p->slots[i];
    free(p->slots);
    *p = more;
}

const char *pool_keep(struct pool *p, const char *text) {
    if (2 * p->count >= p->room)
        grow(p);
    char **slot = find(p, text);
    if (!*slot) {
        *slot = mem_text(text);
        p->count++;
    }
    return *slot;
}

void pool_done(struct pool *p) {
    for (size_t i = 0; i < p->room; i++)
        free(p->slots[i]);
    free(p->slots);
    *p = (struct pool){.slots = NULL};
}
