// SPDX-License-Identifier: MIT
// The clock of one turn: from the request sent to the answer read. It knows its times only from its
// callers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct turn {
    int64_t limit_us; // 0: none
    int64_t grace_us;
    bool runs;                // since asked_us, when the player's process had used cpu_us
    int64_t asked_us, cpu_us; // cpu_us -1: not known
    int64_t starved_us;       // since then: the machine did not let the player run
    int64_t woken_late_us;    // the referee has not looked for so long at what may have come
};

void turn_init(struct turn *t, int64_t limit_us, int64_t grace_us);
void turn_start(struct turn *t, int64_t now_us, int64_t cpu_us);
// Excuses the player for a time, within bounds; what was given back once stays so.
void turn_excuse(struct turn *t, int64_t starved_us, int64_t woken_late_us);

// All are 0 before the clock runs.
int64_t turn_used_us(const struct turn *t, int64_t now_us);
int64_t turn_credit_us(const struct turn *t, int64_t now_us); // what is not charged, if needed
int64_t turn_until_us(const struct turn *t); // when it is up, credit included; 0: never
// An answer that is read now has come too late.
bool turn_is_over(const struct turn *t, int64_t now_us);
int64_t turn_cpu_us(const struct turn *t, int64_t cpu_us); // -1: not known
