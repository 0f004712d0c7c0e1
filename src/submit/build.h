// SPDX-License-Identifier: MIT
// A command run on a copy of a folder inside the box, and what comes of it.
#pragma once

#include "base/buf.h"
#include "submit/submit.h"

struct build {
    const struct submit_job *job; // its box and limits, where the result goes, who is told
    const char *source, *kit;     // folders: the kit's files (NULL: none) are laid below the others
    const char *command;
};

// Runs it and waits. GOOD: the result is in job->into; else `text` says what went wrong. False with
// an error: a circumstance here. What it has printed is added to `printed`, bounded.
bool build_run(const struct build *build, struct submit_result *result, struct buf *printed,
               struct err *err);
