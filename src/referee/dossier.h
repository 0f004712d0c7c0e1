// SPDX-License-Identifier: MIT
// A record, read: every field is there, nothing else is, and each is of its type. Whether it is
// true is another question (audit.h). A dossier borrows its texts from the record.
#pragma once

#include "base/json.h"
#include "referee/conditions.h"
#include "referee/terms.h"
#include "referee/verdict.h"

struct dossier_move {
    const char *text;
    int64_t us, cpu_us, credit_us; // cpu_us -1: not known
    bool by_referee;
};

struct dossier_fault {
    int player;
    enum verdict verdict;
    const char *evidence;
    int ply;
    int64_t us, credit_us; // VERDICT_LATE
};

struct dossier {
    const struct game *game;
    const char *players[2];
    int winner; // -1: nobody
    bool has_scores;
    int scores[2];
    const char *reason;
    bool has_verdict;
    struct dossier_fault verdict; // without ply and times
    int plies;
    struct dossier_move *moves;
    struct ruleset rules;
    struct penalties penalties;
    struct terms terms;
    bool boxed;      // its players were
    int64_t time_us; // 0: no limit
    struct dossier_fault *faults;
    int fault_count;
    uint64_t seed;
    int number, opening;
    struct conditions conditions;
    bool opening_given; // from a file
    bool swap;
    int64_t grace_us;
    const char *platform_fault; // which has ended it, in words; NULL: none
};

// Reads a record, or says what is wrong with it. In both cases dossier_done is called after it.
bool dossier_read(struct dossier *d, const json_t *record, char why[static WHY_TEXT_MAX]);
void dossier_done(struct dossier *d);
