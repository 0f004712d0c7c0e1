// SPDX-License-Identifier: MIT
// The tokens of a contest's players, by their place, in a file that only its owner may read.
#pragma once

#include "web/secret.h"

// Zeroed by its owner, freed by passes_done.
struct passes {
    char *path;
    int count;
    char (*at)[SECRET_TEXT_MAX];
};

// Reads them, and draws those that are missing; all, if others could read the old ones, which are
// `replaced` then.
bool passes_load(struct passes *passes, const char *path, int count, bool *replaced,
                 struct err *err);
// Whose it is; -1: nobody's. Takes as long for every wrong one.
int passes_find(const struct passes *passes, const char *token);
bool passes_renew(struct passes *passes, int player, struct err *err);
void passes_done(struct passes *passes);
