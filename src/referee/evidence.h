// SPDX-License-Identifier: MIT
// What is said of a fault, so that its player can find it: printable, and cut when long.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EVIDENCE_MAX = 400 };

// How a player's process or connection ended.
struct departure {
    bool exited; // its process, with this code or signal
    int code, signal;
    bool closed; // its connection, or its output
    bool final;  // and it cannot come back
    bool over;   // because it wanted more memory than this limit; it had so much at most, -1: not
    int64_t limit, peak; // known
};

// What the referee knows of itself when a time has run out.
struct lateness {
    int64_t woken_late_us;
    int64_t cpu_wait_us; // the player wanted to run and was not let: not charged to it
    int64_t sure_us;     // of that what is certain
    int64_t rival_us;    // and what it was while its opponent ran
    int64_t maybe_us;    // and so much more at most, which will be known when it has run
    double load;
};

// A turn whose time has run out.
struct overdue {
    int64_t used_us, limit_us;
    int64_t cpu_us; // -1: not known
    bool connected;
};

// Bytes of the player's, and what is wrong with them; `why` may be NULL.
void evidence_bytes(char evidence[static EVIDENCE_MAX], const char *bytes, size_t length,
                    const char *why);
// Words of the player's, as they are.
void evidence_words(char evidence[static EVIDENCE_MAX], const char *bytes, size_t length);
// Behind what it says: something else that is known.
void evidence_remark(char evidence[static EVIDENCE_MAX], const char *words);
void evidence_departure(char evidence[static EVIDENCE_MAX], const struct departure *how);
void evidence_memory(char evidence[static EVIDENCE_MAX], const struct departure *how);
// Somebody who was not ready in time: what was missed, and what there is to say for it.
void evidence_not_ready(char evidence[static EVIDENCE_MAX], const struct overdue *start,
                        const struct lateness *lateness);
// Somebody whom the machine has not let run for longer than can be excused.
void evidence_held_up(char evidence[static EVIDENCE_MAX], const struct overdue *turn,
                      const struct lateness *lateness);
void evidence_late(char evidence[static EVIDENCE_MAX], const struct overdue *turn,
                   const struct lateness *lateness);
