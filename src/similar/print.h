// SPDX-License-Identifier: MIT
// Fingerprints by winnowing: of every PRINT_WINDOW neighbouring sequences of PRINT_LENGTH tokens
// the one with the least hash is kept. So whatever stretch of PRINT_SURE tokens two submissions
// share, they share a print of it; and what is shorter than PRINT_LENGTH is never found.
#pragma once

#include "similar/submission.h"

enum { PRINT_LENGTH = 22, PRINT_WINDOW = 9, PRINT_SURE = PRINT_LENGTH + PRINT_WINDOW - 1 };

struct print {
    uint64_t hash;
    int at; // its first token
};

// Code that belongs to nobody: the kits'. A set of hashes, zeroed by its owner.
struct base_code {
    uint64_t *hashes; // 0: free
    size_t count, room;
};

void base_add(struct base_code *base, const struct submission *s);
void base_done(struct base_code *base);

// Finds out which tokens are the base's, and makes the prints of the others, in their
// order.
void prints_make(struct submission *s, const struct base_code *base);
