// SPDX-License-Identifier: MIT
// A record, read: every field is there, nothing else is, and each is of its type. Whether it is
// true is another question (audit.h). It borrows its texts from the record.
#pragma once

#include "base/json.h"
#include "referee/conditions.h"
#include "referee/player_limits.h"
#include "referee/verdict.h"

struct record_read_move {
    const char *text;
    int64_t us, cpu_us, credit_us; // cpu_us -1: not known
    bool by_referee;
};

struct record_read_fault {
    int player;
    enum verdict verdict;
    const char *evidence;
    int ply;
    int64_t us, credit_us; // VERDICT_LATE
};

struct record_read {
    char *why; // where it is said what is wrong
    const struct game *game;
    const char *players[2];
    int winner; // -1: nobody
    bool has_scores;
    int scores[2];
    const char *reason;
    bool has_verdict;
    struct record_read_fault verdict; // without ply and times
    int plies;
    struct record_read_move *moves;
    struct ruleset rules;
    struct penalties penalties;
    struct player_limits limits;
    bool boxed;      // its players were
    int64_t time_us; // 0: no limit
    struct record_read_fault *faults;
    int fault_count;
    uint64_t seed;
    int number, opening;
    struct conditions conditions;
    bool opening_given; // from a file
    bool swap;
    int64_t grace_us;
    bool people;                // the limit of a turn holds for people, too, but for their first
    const char *platform_fault; // which has ended it, in words; NULL: none
};

// Reads a record, or says what is wrong with it. In both cases record_read_done is called after it.
bool record_read(struct record_read *d, const json_t *record, char why[static WHY_TEXT_MAX]);
void record_read_done(struct record_read *d);
// Says what is wrong with it; always false.
__attribute__((format(printf, 2, 3))) bool record_wrong(const struct record_read *d,
                                                        const char *format, ...);
