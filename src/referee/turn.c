// SPDX-License-Identifier: MIT
// A turn is up when limit and grace have passed since the request was sent, and what is credited
// besides: time in which the player wanted to run and was not let, and time in which the referee
// slept over what had come. A credit that was given once is never taken back, for a deadline that
// was put off must not be missed by it.
#include "referee/turn.h"

#include <assert.h>

enum { CPU_WAIT_MAX_US = 10000000 }; // or the limit once more, if that is longer

int64_t turn_excused_us(int64_t limit_us, const struct lateness *l, int64_t *beyond_us) {
    assert(l->rival_us <= l->cpu_wait_us && l->sure_us <= l->cpu_wait_us);
    const int64_t most = limit_us > CPU_WAIT_MAX_US ? limit_us : CPU_WAIT_MAX_US;
    const int64_t machine_us = l->cpu_wait_us - l->rival_us;
    const int64_t possible_us = l->sure_us + l->maybe_us - l->rival_us;
    const int64_t excused_us = machine_us < most ? machine_us : most;
    *beyond_us = possible_us > most ? possible_us - excused_us : 0;
    return l->rival_us + excused_us;
}

void turn_init(struct turn *t, int64_t limit_us, int64_t grace_us) {
    assert(limit_us >= 0 && grace_us >= 0);
    *t = (struct turn){.limit_us = limit_us, .grace_us = grace_us};
}

void turn_start(struct turn *t, int64_t now_us, int64_t cpu_us) {
    assert(!t->runs);
    t->runs = true;
    t->asked_us = now_us;
    t->cpu_us = cpu_us;
}

void turn_excuse(struct turn *t, const struct lateness *lateness, bool woken_late) {
    int64_t beyond_us;
    const int64_t given = turn_excused_us(t->limit_us, lateness, &beyond_us);
    if (given > t->cpu_wait_us)
        t->cpu_wait_us = given;
    t->beyond_us = beyond_us;
    t->woken_late_us = woken_late ? lateness->woken_late_us : 0;
}

// What a player sends before it is asked, beside its id, was read before the request was sent.
int64_t turn_used_us(const struct turn *t, int64_t now_us) {
    return t->runs && now_us > t->asked_us ? now_us - t->asked_us : 0;
}

int64_t turn_until_us(const struct turn *t) {
    if (!t->runs || t->limit_us == 0)
        return 0;
    return t->asked_us + t->limit_us + t->grace_us + t->cpu_wait_us + t->woken_late_us;
}

int64_t turn_credit_us(const struct turn *t, int64_t now_us) {
    const bool needed = t->limit_us > 0 && turn_used_us(t, now_us) > t->limit_us + t->grace_us;
    return needed ? t->cpu_wait_us + t->woken_late_us : 0;
}

bool turn_is_over(const struct turn *t, int64_t now_us) {
    const int64_t until_us = turn_until_us(t);
    return until_us > 0 && now_us > until_us;
}

bool turn_is_held_up(const struct turn *t, int64_t now_us) {
    return t->beyond_us > 0 && now_us <= turn_until_us(t) + t->beyond_us;
}

int64_t turn_cpu_us(const struct turn *t, int64_t cpu_us) {
    return t->runs && t->cpu_us >= 0 && cpu_us >= t->cpu_us ? cpu_us - t->cpu_us : -1;
}
