// SPDX-License-Identifier: MIT
#include "engine/told.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int engine_turns_left(const struct engine *engine, int value) {
    enum { TURNS_MAX = 1000 };
    const int left = engine->win - abs(value);
    if (engine->counts_plies)
        return (abs(value) + 1) / 2;
    return engine->win && left <= TURNS_MAX ? (left + 1) / 2 : 0;
}

// A search that has proven nothing sees an end.
static bool seems_over(const struct engine *engine, int value) {
    return engine->win && abs(value) >= engine->win - engine->win / 10 - 1;
}

// A number with its sign, to tenths where it is no whole one.
static void put_amount(const struct counted *unit, double amount, struct buf *out) {
    const double tenths = round(10 * amount) / 10;
    if (tenths == 0) {
        buf_text(out, "even");
        return;
    }
    buf_format(out, "%+.*f %s", tenths == round(tenths) ? 0 : 1, tenths,
               fabs(tenths) == 1 ? unit->one : unit->many);
}

void thought_put_words(const struct engine *engine, const void *state,
                       const struct thought *thought, struct buf *out) {
    const int turns = engine_turns_left(engine, thought->value);
    const double told = engine_tell(engine, state, thought->value);
    if (turns)
        buf_format(out, "%s in %d turn%s", thought->value > 0 ? "won" : "lost", turns,
                   turns == 1 ? "" : "s");
    else if (seems_over(engine, thought->value))
        buf_text(out, thought->value > 0 ? "winning" : "losing");
    else
        put_amount(&engine->counted, told / engine->counted.in_one, out);
    if (thought->exact)
        buf_text(out, ", exact");
}
