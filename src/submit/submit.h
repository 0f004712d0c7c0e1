// SPDX-License-Identifier: MIT
// What a contestant hands in, an archive or a folder of sources: unpacked, recognised, and built
// inside the box. docs/submissions.md. What the contestant is to blame for is a finding, never an
// error. Nothing here runs a line of his outside the box, unless there is no box.
#pragma once

#include "base/embed.h"
#include "base/err.h"
#include "link/box.h"
#include "submit/rules.h"

// What comes of a submission.
#define FINDINGS(X)                                                                                \
    X(GOOD, "good")       /* it can play */                                                        \
    X(ARCHIVE, "archive") /* the archive is broken, too large, or holds what is refused */         \
    X(RULES, "rules")     /* it is not what the contest takes */                                   \
    X(UNKNOWN, "unknown") /* nothing in it that we know how to build or start */                   \
    X(WINDOWS, "windows") /* it needs Windows, and this machine has nothing to run it by */        \
    X(BUILD, "build")     /* it does not build */                                                  \
    X(SLOW, "slow")       /* building it takes too long */                                         \
    X(MEMORY, "memory")   /* building it takes too much memory */                                  \
    X(SIZE, "size")       /* what is built is too large */                                         \
    X(GAME, "game")       /* it builds, and does not play its test game as it should */

enum finding {
#define FINDING_CONSTANT(id, word) FINDING_##id,
    FINDINGS(FINDING_CONSTANT)
#undef FINDING_CONSTANT
};

enum { SUBMIT_TEXT_MAX = 2000, SUBMIT_TROUBLE_MAX = 300 };

struct submit_limits {
    int64_t archive; // bytes of an archive,
    int64_t bytes;   // of all that is in it, or comes of it by building,
    int files;       // files and folders in it
    int64_t build_us, build_memory;
};

// 8 MB of archive, 64 MB of files, 1,000 of them, a minute and 1 GB to build.
extern const struct submit_limits submit_standard;

struct submit_job {
    const char *path;          // an archive or a folder
    const char *into;          // the folder that is made for what comes of it; must not be there
    const char *game;          // by its name
    const char *build, *start; // as the organiser says; NULL: as the folder does
    const struct embed *kits;  // kit_files
    const struct box *box;     // NULL: none
    struct submit_limits limits;
    const struct submit_rules *rules; // of the contest, where it has not said `start`; NULL: none
    void (*log)(void *owner, const char *bytes, size_t length); // what the build prints; NULL: none
    bool (*wait)(void *owner); // called again and again while it is built; false breaks it off,
                               // which is an error; NULL: none
    void *owner;
};

struct submit_result {
    enum finding finding;
    char text[SUBMIT_TEXT_MAX];  // in words; of a build that failed, its first errors
    char start[SUBMIT_TEXT_MAX]; // GOOD: the PLAYER that plays it from the folder `into`, where its
                                 // command is to be run
    char kind[80];               // what it was taken for
};

const char *finding_word(enum finding finding);
enum finding finding_find(const char *word); // GOOD if it is none
// Why a submission cannot play, in one line, as a table has room for.
void submit_put_trouble(enum finding finding, const char *text,
                        char trouble[static SUBMIT_TROUBLE_MAX]);
// Does all of it, and waits for it. False: a circumstance here; nothing is said of the submission.
bool submit_make(const struct submit_job *job, struct submit_result *result, struct err *err);
