// SPDX-License-Identifier: MIT
// What a contestant handed in: a file or a folder of sources, read and cut into tokens.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "similar/macro.h"
#include "similar/token.h"

struct source {
    char *path; // inside the folder; of a lone file its name
    char *text;
    size_t size;
    enum language language;
};

// Zeroed by its owner, freed by submission_done.
struct submission {
    char *name;   // the path as it was given, without slashes at its end
    bool outside; // not handed in, only to be compared with
    struct source *sources;
    int source_count;
    struct tokens tokens;
    struct macro_sum macros;
    bool there;      // its path could be read at all
    int left_out;    // files and folders that are not compared
    char *first_out; // the first of them, and why; NULL: there is none

    // filled in by prints_make
    uint64_t *shared; // a bit for each token: it is code of the base
    int own;          // tokens that are not
    struct print *prints;
    int print_count;
};

static inline bool submission_shares(const struct submission *s, int token) {
    return s->shared[token / 64] >> token % 64 & 1;
}

// Reads all sources below the path. Links are not followed, files that are no source are passed
// over, unless an #include line of a source in the folder names them. What is too large, too deep
// or too much, or cannot be read, is left out, and only that. False if the path is not there, or
// nothing to compare was found.
bool submission_read(struct submission *s, const char *path, struct err *err);
// Adds what an organiser should know before he trusts the comparison: nothing, if all of it was
// compared.
void submission_remark(const struct submission *s, struct buf *out);
void submission_done(struct submission *s);
