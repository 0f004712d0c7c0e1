// SPDX-License-Identifier: MIT
// Commands for /bin/sh, read as far as it must be known which of their words are what.
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

enum { SHELL_WORD_MAX = 4096 };

enum shell_kind {
    SHELL_END,
    SHELL_ASSIGNMENT, // NAME=VALUE before a command
    SHELL_COMMAND,    // the first word of a simple command
    SHELL_WORD,       // one of the others, or a file of a redirection
    SHELL_REDIRECTION,
    SHELL_JOIN, // ";", "&&", "||" or the end of a line
    SHELL_ODD,  // anything else, which is not read any further
};

struct shell_token {
    enum shell_kind kind;
    size_t from, length;        // where it stands
    bool is_plain;              // a word that the shell only takes its quotes off,
    char plain[SHELL_WORD_MAX]; // which is done here
};

// Where reading stands; begin with a zeroed one at the text.
struct shell_reader {
    const char *text;
    size_t at;
    bool after_command; // the simple command has its first word
    bool after_redirection;
};

void shell_next(struct shell_reader *reader, struct shell_token *token);
// A word for the shell, whatever it holds.
void shell_put_quoted(struct buf *out, const char *word);
// The words of a command that needs no shell, which is one program by its path with plain words
// behind it; ended by NULL and freed by shell_words_free. NULL: it needs one.
char **shell_words(const char *command);
void shell_words_free(char **words); // also NULL
// The command as a script in which the last simple command replaces the shell, if it can: then the
// process that was started is the program itself.
void shell_put_script(struct buf *out, const char *command);
