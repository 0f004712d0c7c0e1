// SPDX-License-Identifier: MIT
// Source text as tokens that renaming, other types, other literals, comments and layout do not
// change: every name is one kind of token, every literal another.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum language { LANGUAGE_NONE, LANGUAGE_C, LANGUAGE_PYTHON }; // C is C++ too

// Kinds: a byte is itself, two bytes of a sign are both; words of the language stand from
// KIND_WORDS on, and in the body of a macro its parameters from KIND_PARAMETER on.
enum { KIND_NAME = 0x8000, KIND_LITERAL, KIND_WORDS, KIND_PARAMETER = 0xc000 };

struct token {
    uint32_t line;       // from 1
    uint32_t begin, end; // bytes of the text
    uint16_t file;       // of its submission
    uint16_t kind;
};

enum { NAMED_MOST = 1000, PARAMETERS_MOST = 64 };

struct macro {
    uint64_t name;  // by token_name
    int parameters; // -1: it has no brackets
    int at;         // how many tokens stood before it
    int file;
    int first, count;  // its body among those of all
    bool used, unsure; // somewhere; other definitions of the name say other things
};

// Something by which code may be hidden from the comparison.
struct trick {
    const char *what; // NULL: none
    struct token at;
};

// Zeroed by its owner, freed by tokens_done.
struct tokens {
    struct token *at;
    int count, room;
    // The files, without their folders, that #include lines name and that are no source by their
    // name, in order; no more than NAMED_MOST.
    char **named;
    int named_count;
    // What #define lines say, in their order. It counts where it is used: see macro.h.
    struct macro *macros;
    int macro_count;
    struct token *bodies;
    int body_count, body_room;
    struct trick trick; // the first
};

// By the end of the file's name.
enum language token_language(const char *path);
// Adds the tokens of a text, whatever bytes it holds.
void tokens_scan(struct tokens *tokens, const char *text, size_t size, enum language language,
                 int file);
// Adds one, but a literal beside a literal, or after one and a comma, is no other. Nothing before
// `floor` or of another file is touched.
void tokens_add(struct tokens *tokens, struct token token, int floor);
// The kind of the token so many before the last, under the same conditions; 0 if there is none.
int tokens_before(const struct tokens *tokens, int back, int floor, int file);
// Keeps what stands between the marks of an #include line, if it is no source by its name.
void tokens_add_named(struct tokens *tokens, const char *begin, size_t length);
// Keeps a macro, and takes the tokens from `floor` on away as its body.
void tokens_take_macro(struct tokens *tokens, struct macro macro, int floor);
// Stands for a name; joined lines do not change it.
uint64_t token_name(const char *begin, const char *end);
// Does an #include line name this file, without its folder?
bool tokens_name(const struct tokens *tokens, const char *file);
void tokens_done(struct tokens *tokens);
