// SPDX-License-Identifier: MIT
// Reading a stream line by line, whatever it contains, in bounded memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LINE_MAX_BYTES = 1 << 20 };

struct lines {
    FILE *file;                    // borrowed
    char text[LINE_MAX_BYTES + 2]; // the line, without its end, ended by NUL
    size_t length;                 // as far as it was kept
    bool too_long;                 // the rest was skipped
    bool has_nul;                  // it holds a NUL byte
};

// Takes the next line (ended by \n or \r\n, or by the end of the stream); false when there is none.
bool lines_next(struct lines *lines);
