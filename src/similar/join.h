// SPDX-License-Identifier: MIT
// Lines of C that end with a backslash, joined as a compiler does it.
#pragma once

#include "similar/token.h"

// Zeroed by its owner, freed by joined_done.
struct joined {
    char *text;
    size_t size;
    struct join {
        uint32_t at, gone; // in the joined text; bytes taken out there
    } * joins;
    int count;
};

bool joined_is_needed(const char *text, size_t size);
void joined_make(struct joined *joined, const char *text, size_t size);
// Tokens of the joined text get their places in the text as it was.
void joined_restore(const struct joined *joined, struct token *tokens, int count);
void joined_done(struct joined *joined);
// How many bytes a backslash and a line's end have here, with the blanks between them that
// compilers allow; 0: there are none.
size_t joined_gap(const char *at, const char *end);
