// SPDX-License-Identifier: MIT
#include "cli/match/series.h"

#include "base/cores.h"
#include "base/scratch.h"
#include "base/signals.h"
#include "cli/match/crew.h"
#include "cli/match/part.h"
#include "folder/folder.h"

#include <sched.h>
#include <signal.h>

static bool ended_here(void *owner, int index, json_t *record) {
    struct series *s = owner;
    return s->ended(s->owner, index, record);
}

static bool play_here(struct series *s, bool *interrupted, struct err *err) {
    const struct part part = {.series = s, .step = 1, .ended = ended_here, .owner = s, .err = err};
    cpu_set_t before;
    const bool known = sched_getaffinity(0, sizeof before, &before) == 0;
    cores_pin(0, s->cores);
    const bool good = part_play(&part, interrupted);
    if (known)
        sched_setaffinity(0, sizeof before, &before);
    if (!*interrupted)
        signals_hold(false);
    return good;
}

// In a box every player has its own.
static bool shares_wine(const struct player *p) { return p->windows && !p->boxed; }

bool series_play(struct series *s, bool *interrupted, struct err *err) {
    const int units = part_units(s);
    *interrupted = false;
    signal(SIGPIPE, SIG_IGN); // who does not read our output shows when we write
    scratch_sweep();
    if (shares_wine(&s->player[0]) || shares_wine(&s->player[1]))
        player_wake_wine(); // before anything is bound to a core
    if (s->jobs > units)
        s->jobs = units;
    // Rules from outside may bring down who plays by them, but not us.
    const bool apart = folder_of(s->config.rules.game) && s->player[0].kind != PLAYER_HUMAN &&
                       s->player[1].kind != PLAYER_HUMAN;
    return s->jobs > 1 || apart ? crew_play(s, interrupted, err) : play_here(s, interrupted, err);
}
