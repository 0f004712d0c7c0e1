// SPDX-License-Identifier: MIT
#include "engine/reversi/isa.h"
#include "engine/reversi/search.h"

#include <string.h>

enum { LOOK_EVERY = 4096 }; // nodes between two looks at the clock

void search_init(struct reversi_search *s, const struct variant *v, struct tt *tt,
                 struct stop *stop) {
    memset(s, 0, sizeof *s);
    s->variant = v;
    s->eval = eval_find(v->kind);
    s->cuts = cuts_find(v->kind);
    s->tt = tt;
    s->stop = stop;
    s->certainty = CERTAIN;
    s->squares = bits_count(v->squares);
    s->run = isa_search();
}

bool search_look(struct reversi_search *s) {
    if (stop_look(s->stop, s->nodes) || split_over(s->split)) {
        s->look_at = 0;
        return true;
    }
    s->look_at = s->nodes + LOOK_EVERY;
    if (s->stop->nodes && s->stop->nodes < s->look_at)
        s->look_at = s->stop->nodes;
    return false;
}
