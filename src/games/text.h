// SPDX-License-Identifier: MIT
// Writing and reading short texts without the C library.
// A text writes into the caller's buffer, never beyond it, and is ended by NUL at all times.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *at;        // where the next character goes
    const char *end; // the last place, kept for the NUL
};

struct text text_begin(char *buffer, size_t size);
void text_put(struct text *t, const char *words);
void text_put_char(struct text *t, char c);
void text_put_number(struct text *t, int n);
// At least `width` characters wide, blanks in front.
void text_put_padded(struct text *t, int n, int width);
void text_put_pair(struct text *t, int a, int b); // "a,b"
// Somebody's words in quotes: cut when long, unprintable bytes as '?'.
void text_put_quoted(struct text *t, const char *words);
// A mark in its colour (an ANSI code such as "1;31") where colours are wanted.
void text_put_mark(struct text *t, bool colour, const char *code, const char *mark);
// The marks of the players: X and O, in the colours shared by all boards.
void text_put_player(struct text *t, bool colour, int player, const char *mark);

size_t text_length(const char *words);
bool text_equal(const char *a, const char *b);
// This word, and then only blanks.
bool text_is_word(const char *words, const char *word);
// Copies `words`; false (and nothing copied) if they do not fit.
bool text_copy(char *buffer, size_t size, const char *words);
// The place of a word in a list "a|b|c", or -1.
int text_find_word(const char *list, const char *word);

// Readers move `at` past what they take, and leave it where it is when they return false.
// Numbers are digits alone; one too large for the games is read as TEXT_NUMBER_MAX.
enum { TEXT_NUMBER_MAX = 1000000 };
bool text_take(const char **at, char c);
bool text_take_number(const char **at, int *n);
bool text_take_pair(const char **at, int *a, int *b); // "a,b", blanks allowed after the comma
// Skips blanks; says if there was at least one.
bool text_take_blanks(const char **at);
// Only blanks are left.
bool text_at_end(const char *at);
