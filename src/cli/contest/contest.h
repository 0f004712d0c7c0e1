// SPDX-License-Identifier: MIT
// A contest on the command line: its file and its store.
#pragma once

#include "cli/command.h"
#include "contest/plan/plan.h"
#include "store/store.h"

struct contest {
    const struct args *args;
    struct plan *plan;
    char *base;          // the folder of its file
    struct store *store; // NULL: there is none, and none is needed
};

// What a command wants of the contest's store.
enum store_need {
    STORE_MADE,   // if it is not there
    STORE_NEEDED, // or it is an error
    STORE_USED,   // if it is there
};

// A descriptor to be read when SIGINT or SIGTERM has come, which end the program no more; -1 with
// an error.
int contest_signals(struct err *err);
// Enters the folder of its file, from which its players are seen.
bool contest_enter(const struct contest *contest, struct err *err);
// `arbiter contest run`: exit code, or -1 with an error.
int contest_run(struct contest *contest, struct err *err);
// `arbiter contest live`: the same.
int contest_similar(struct contest *contest, struct err *err);
int contest_live(struct contest *contest, struct err *err);
