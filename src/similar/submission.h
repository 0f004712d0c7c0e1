// SPDX-License-Identifier: MIT
// What a contestant handed in: a file or a folder of sources, read and cut into tokens.
#pragma once

#include "base/err.h"
#include "similar/token.h"

struct source {
    char *path; // inside the folder; of a lone file its name
    char *text;
    size_t size;
};

// Zeroed by its owner, freed by submission_done.
struct submission {
    char *name;   // the path as it was given, without slashes at its end
    bool outside; // not handed in, only to be compared with
    struct source *sources;
    int source_count;
    struct tokens tokens;

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
// over. False if it is not there, has no source, or more of them than anybody writes.
bool submission_read(struct submission *s, const char *path, struct err *err);
void submission_done(struct submission *s);
