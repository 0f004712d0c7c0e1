// SPDX-License-Identifier: MIT
#include "engine/tower4/explain.h"

#include "base/mem.h"
#include "engine/tower4/tower.h"

#include <stdlib.h>

// What a position is explained with.
struct view {
    struct lattice lattice;
    struct weights none;
    struct tower tower;
};

static void explain_cell(const struct tower *t, int side, int cell, struct buf *out) {
    const int column = cell_column(cell), at = t->lattice->move[column];
    const int lines = t->threes[side][cell], below = cell_layer(cell) - t->height[column];
    buf_format(
        out, "%c threatens %d line%s by %d,%d on layer %d, worth %d points now: ", side ? 'O' : 'X',
        lines, lines == 1 ? "" : "s", at / 8, at % 8, cell_layer(cell), tower_worth(t, lines));
    if (below == 0)
        buf_text(out, "the next piece there\n");
    else
        buf_format(out, "once %d more %s there\n", below, below == 1 ? "piece lies" : "pieces lie");
}

static void explain_level(const struct tower *t, int above, struct buf *out) {
    for (int side = 0; side < 2; side++)
        for (int column = 0; column < t->lattice->columns; column++) {
            const int cell = tower_cell(t, column) + above * COLUMNS_MAX;
            if (cell < CELLS && t->threes[side][cell])
                explain_cell(t, side, cell, out);
        }
}

void tower_explain(const struct ruleset *rules, const void *state, struct buf *out) {
    struct view *v = mem_new(1, sizeof *v);
    struct net *net = tower_net_of(&v->none);
    lattice_init(&v->lattice, rules);
    tower_read(&v->tower, &v->lattice, net, rules->game, state);
    for (int above = 0; above < LAYERS; above++)
        explain_level(&v->tower, above, out);
    if (out->length == 0)
        buf_text(out, "nobody threatens a line\n");
    free(net);
    free(v);
}
