// SPDX-License-Identifier: MIT
// The tokens of a contest's players, by their place, in a file that only its owner may read.
#pragma once

#include "web/secret.h"

// Zeroed by its owner, freed by team_tokens_done.
struct team_tokens {
    char *path;
    int count;
    char (*at)[SECRET_TEXT_MAX];
};

// Reads them, and draws those that are missing; all, if others could read the old ones, which are
// `replaced` then.
bool team_tokens_load(struct team_tokens *tokens, const char *path, int count, bool *replaced,
                      struct err *err);
// Whose it is; -1: nobody's. Takes as long for every wrong one.
int team_tokens_find(const struct team_tokens *tokens, const char *token);
bool team_tokens_renew(struct team_tokens *tokens, int player, struct err *err);
void team_tokens_done(struct team_tokens *tokens);
