// SPDX-License-Identifier: MIT
// A command run on a copy of a folder inside the box, and what comes of it.
#pragma once

#include "base/buf.h"
#include "submit/submit.h"

struct build {
    const char *source, *kit; // folders: the kit's files (NULL: none) are laid below the others
    const char *command;
    const char *into; // the folder that is made for the result
    const struct box *box;
    const struct submit_limits *limits;
    void (*log)(void *owner, const char *bytes, size_t length); // NULL: none
    bool (*wait)(void *owner); // called again and again meanwhile; false breaks it off; NULL: none
    void *owner;
};

// Runs it and waits. GOOD: the result is in `into`; else `text` says what went wrong. False with an
// error: a circumstance here. What it has printed is added to `printed`, bounded.
bool build_run(const struct build *build, struct submit_result *result, struct buf *printed,
               struct err *err);
