// SPDX-License-Identifier: MIT
// Macros, put in where they are used, so that a program written in them is compared as what the
// compiler gets to see.
#pragma once

#include "similar/token.h"

// What an organiser should know of it.
struct macro_sum {
    int unsure; // tokens of macros that are defined in several ways
    int unused; // tokens in macros that nothing uses
    bool cut;   // there was more than is put in
};

// Puts the bodies in. `texts` are the texts of the files by their numbers; NULL: it is no C. What
// comes from a macro has the place of the use.
void macros_expand(struct tokens *tokens, const char *const *texts, struct macro_sum *sum);
