// SPDX-License-Identifier: MIT
#include "referee/turn.h"

enum { STARVED_MAX_US = 10000000 }; // or the limit once more, if that is longer

void turn_init(struct turn *t, int64_t limit_us, int64_t grace_us) {
    *t = (struct turn){.limit_us = limit_us, .grace_us = grace_us};
}

void turn_start(struct turn *t, int64_t now_us, int64_t cpu_us) {
    t->runs = true;
    t->asked_us = now_us;
    t->cpu_us = cpu_us;
}

void turn_excuse(struct turn *t, int64_t starved_us, int64_t woken_late_us) {
    const int64_t most = t->limit_us > STARVED_MAX_US ? t->limit_us : STARVED_MAX_US;
    const int64_t given = starved_us < most ? starved_us : most;
    if (given > t->starved_us)
        t->starved_us = given;
    t->woken_late_us = woken_late_us;
}

// What a player sends before it is asked, beside its id, was read before the request was sent.
int64_t turn_used_us(const struct turn *t, int64_t now_us) {
    return t->runs && now_us > t->asked_us ? now_us - t->asked_us : 0;
}

int64_t turn_until_us(const struct turn *t) {
    if (!t->runs || t->limit_us == 0)
        return 0;
    return t->asked_us + t->limit_us + t->grace_us + t->starved_us + t->woken_late_us;
}

int64_t turn_credit_us(const struct turn *t, int64_t now_us) {
    const bool needed = t->limit_us > 0 && turn_used_us(t, now_us) > t->limit_us + t->grace_us;
    return needed ? t->starved_us + t->woken_late_us : 0;
}

bool turn_is_over(const struct turn *t, int64_t now_us) {
    const int64_t until_us = turn_until_us(t);
    return until_us > 0 && now_us > until_us;
}

int64_t turn_cpu_us(const struct turn *t, int64_t cpu_us) {
    return t->runs && t->cpu_us >= 0 && cpu_us >= t->cpu_us ? cpu_us - t->cpu_us : -1;
}
