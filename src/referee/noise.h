// SPDX-License-Identifier: MIT
// What a player writes to standard error, by lines, whatever it writes at once; and the last of
// them, which mostly says why it has ended.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    NOISE_LINE_MAX = 2000, // longer ones come in pieces
    NOISE_WORDS_MAX = 240,
};

struct noise {
    char line[NOISE_LINE_MAX],
        last[NOISE_LINE_MAX]; // not ended yet; and the last that is not empty, or how it began
    size_t length, last_length;
    int lines;    // handed over so far
    int at;       // the line of a file that a traceback under way names; 0: none
    int last_at;  // and the one that `last` comes from
    bool goes_on; // `line` does: how it began was handed over
};

// Both hand over whole lines, with their end, and pieces of whole characters; noise_end also what
// has no end. To write a line costs a player less than it costs us to look at it, on the core that
// its opponent plays on: of one that has written too many only the end of what comes is looked at.
void noise_take(struct noise *noise, const char *bytes, size_t length,
                void (*line)(void *owner, const char *bytes, size_t length), void *owner);
void noise_end(struct noise *noise, void (*line)(void *owner, const char *bytes, size_t length),
               void *owner);
// What it says of the player's end, readable, with the line of its source where that is known; ""
// if it has said nothing.
void noise_words(const struct noise *noise, char words[static NOISE_WORDS_MAX]);
