// SPDX-License-Identifier: MIT
// Source text as tokens that renaming, other types, other literals, comments and layout do not
// change: every name is one kind of token, every literal another.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum language { LANGUAGE_NONE, LANGUAGE_C, LANGUAGE_PYTHON }; // C is C++ too

struct token {
    uint32_t line;       // from 1
    uint32_t begin, end; // bytes of the text
    uint16_t file;       // of its submission
    uint16_t kind;
};

// Zeroed by its owner, freed by tokens_done.
struct tokens {
    struct token *at;
    int count, room;
};

// By the end of the file's name.
enum language token_language(const char *path);
// Adds the tokens of a text, whatever bytes it holds.
void tokens_scan(struct tokens *tokens, const char *text, size_t size, enum language language,
                 int file);
void tokens_done(struct tokens *tokens);
