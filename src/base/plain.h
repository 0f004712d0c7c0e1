// SPDX-License-Identifier: MIT
// Text of strangers, made safe to print: what programs say, names, paths in archives. A terminal
// obeys control characters; what is left here are letters, line ends and tabs. Each control
// character becomes a "?", and so do bytes that are no UTF-8 and the signs that turn the direction
// of writing, which make a line read otherwise than it is.
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PLAIN_CUT = -1 };
// How many bytes of UTF-8 the letter at the front has, which is set; 0: there is none; PLAIN_CUT:
// it goes on behind the end. Letters that Unicode does not have are letters here.
int plain_letter(const char *text, size_t length, uint32_t *letter);

// Whether nothing can be read in a text: spaces of any kind, and letters that show nothing.
bool plain_is_blank(const char *text);

// A stream that comes in pieces: the letter that a piece ends within is kept for the next. Zeroed
// by its owner.
struct plain {
    char held[4];
    size_t count;
};

void plain_feed(struct plain *plain, const char *bytes, size_t length, struct buf *out);
// The end of it.
void plain_end(struct plain *plain, struct buf *out);

// A whole text of several lines, appended.
void plain_put(struct buf *out, const char *bytes, size_t length);
// One line, in place: line ends and tabs become "?", too.
void plain_clean(char *line);

// Prints: by a format whose values are strangers', or bytes as they are.
__attribute__((format(printf, 2, 3))) void plain_print(FILE *file, const char *format, ...);
void plain_write(FILE *file, const char *bytes, size_t length);
// JSON, whose strings may hold any letter: what must not be printed is written as \uXXXX.
void plain_write_json(FILE *file, const char *text);
