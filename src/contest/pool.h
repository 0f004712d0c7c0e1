// SPDX-License-Identifier: MIT
// Texts that many have, each kept once. A pool owns its texts, which live until pool_done.
#pragma once

#include <stddef.h>

struct pool {
    char **slots; // a table by hash, at most half full
    size_t count, room;
};

const char *pool_keep(struct pool *pool, const char *text);
void pool_done(struct pool *pool);
