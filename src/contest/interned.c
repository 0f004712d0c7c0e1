// SPDX-License-Identifier: MIT
// A hash table with open addressing, of which at least half is empty, so that a search ends soon.
#include "contest/interned.h"

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
static char **find(const struct interned *t, const char *text) {
    size_t at = hash_of(text) & (t->room - 1);
    while (t->slots[at] && strcmp(t->slots[at], text) != 0)
        at = (at + 1) & (t->room - 1);
    return &t->slots[at];
}

static void grow(struct interned *t) {
    struct interned more = {.count = t->count, .room = t->room ? 2 * t->room : ROOM_FIRST};
    more.slots = mem_new(more.room, sizeof *more.slots);
    for (size_t i = 0; i < t->room; i++)
        if (t->slots[i])
            *find(&more, t->slots[i]) = t->slots[i];
    free(t->slots);
    *t = more;
}

const char *interned_keep(struct interned *t, const char *text) {
    if (2 * t->count >= t->room)
        grow(t);
    char **slot = find(t, text);
    if (!*slot) {
        *slot = mem_text(text);
        t->count++;
    }
    return *slot;
}

void interned_done(struct interned *t) {
    for (size_t i = 0; i < t->room; i++)
        free(t->slots[i]);
    free(t->slots);
    *t = (struct interned){.slots = NULL};
}
