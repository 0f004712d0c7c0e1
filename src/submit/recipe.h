// SPDX-License-Identifier: MIT
// How the sources in a folder become a player: recognised by their names, and by a few words in
// them (docs/submissions.md).
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { RECIPE_WHY_MAX = 500 };

// Headers that are there on Windows alone, in small letters; any may be written otherwise.
extern const char *const recipe_windows[];
extern const size_t recipe_windows_count;

// Whether a file is one that is built or run, by its name.
bool recipe_is_source(const char *name);

struct recipe_job {
    const char *game; // by its name
    const char *cpp;  // what C++ is compiled as (rules.h); NULL: as usual
};

// Zeroed by its owner, freed by recipe_done.
struct recipe {
    const char *kind;        // what it was taken for
    struct buf kit;          // whose files are laid below its own, "connect6/cpp"; empty: none
    struct buf build, start; // a command, and a PLAYER whose command is run in the same folder
    struct buf windows;      // the command that builds it for Windows; empty: none
    struct buf windows_start;
    const char *made; // the file that building must leave; NULL: any
};

// False with an error: a circumstance here; without one: it is not known, and `why` says what would
// be.
bool recipe_find(struct recipe *recipe, const char *folder, const struct recipe_job *job,
                 char why[static RECIPE_WHY_MAX], struct err *err);
void recipe_done(struct recipe *recipe);
