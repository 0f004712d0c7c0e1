// SPDX-License-Identifier: MIT
// The clock of one turn: from the request sent to the answer read. It knows its times only from its
// callers.
#pragma once

#include "referee/evidence.h"

struct turn {
    int64_t limit_us; // 0: none
    int64_t grace_us;
    bool runs;                // since asked_us, when the player's process had used cpu_us
    int64_t asked_us, cpu_us; // cpu_us -1: not known
    int64_t cpu_wait_us;      // since then: the player was not let run, and that is excused
    int64_t beyond_us;        // the machine may not have let it run for so long more
    int64_t woken_late_us;    // the referee has not looked for so long at what may have come
};

// How much of the time in which a player was not let run is excused: of what its opponent took,
// all; of what the machine did, 10 s or as much as the limit. The rest is `beyond_us`: what is
// certain, and what may be but is not known yet because it still waits.
int64_t turn_excused_us(int64_t limit_us, const struct lateness *lateness, int64_t *beyond_us);

void turn_init(struct turn *t, int64_t limit_us, int64_t grace_us);
void turn_start(struct turn *t, int64_t now_us, int64_t cpu_us);
// Excuses the player; what was given back once stays so. `woken_late` says whether the referee has
// slept over what may have come.
void turn_excuse(struct turn *t, const struct lateness *lateness, bool woken_late);

// All are 0 before the clock runs.
int64_t turn_used_us(const struct turn *t, int64_t now_us);
int64_t turn_credit_us(const struct turn *t, int64_t now_us); // what is not charged, if needed
int64_t turn_until_us(const struct turn *t); // when it is up, credit included; 0: never
// An answer that is read now has come too late.
bool turn_is_over(const struct turn *t, int64_t now_us);
// It would be in time, if all that the machine did could be excused.
bool turn_is_held_up(const struct turn *t, int64_t now_us);
int64_t turn_cpu_us(const struct turn *t, int64_t cpu_us); // -1: not known
