// SPDX-License-Identifier: MIT
// Source text as tokens that renaming, other types, other literals, comments and layout do not
// change: every name is one kind of token, every literal another.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum language { LANGUAGE_NONE, LANGUAGE_C, LANGUAGE_PYTHON }; // C is C++ too

struct token {
    uint32_t line;       // from 1
    uint32_t begin, end; // bytes of the text
    uint16_t file;       // of its submission
    uint16_t kind;
};

enum { NAMED_MOST = 1000 };

// Zeroed by its owner, freed by tokens_done.
struct tokens {
    struct token *at;
    int count, room;
    // The files, without their folders, that #include lines name and that are no source by their
    // name, in order; no more than NAMED_MOST.
    char **named;
    int named_count;
};

// By the end of the file's name.
enum language token_language(const char *path);
// Adds the tokens of a text, whatever bytes it holds.
void tokens_scan(struct tokens *tokens, const char *text, size_t size, enum language language,
                 int file);
// Does an #include line name this file, without its folder?
bool tokens_name(const struct tokens *tokens, const char *file);
void tokens_done(struct tokens *tokens);
