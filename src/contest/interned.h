// SPDX-License-Identifier: MIT
// Texts that many have, each kept once. Zeroed by its owner; the texts live until interned_done.
#pragma once

#include <stddef.h>

struct interned {
    char **slots; // a table by hash, at most half full
    size_t count, room;
};

const char *interned_keep(struct interned *texts, const char *text);
void interned_done(struct interned *texts);
