// SPDX-License-Identifier: MIT
// The board of the search counts for every cell the lines that a colour lacks but for it. These
// counts are what is told: a cell once, with all its lines, first those that the next piece in
// their column fills, then those with one piece to come before, and so on.
#include "engine/tower4/explain.h"

#include "base/mem.h"
#include "engine/tower4/tower.h"

#include <stdlib.h>

// What a position is explained with.
struct threat_view {
    struct lattice lattice;
    struct tower_board tower;
};

// A cell that a side lacks for one line or more.
struct lack {
    const struct tower_board *tower;
    int side, cell;
    int row, column; // of the rules
    int below;       // pieces that must lie there first
    int lines, points;
};

static struct lack lack_of(const struct tower_board *t, int side, int cell) {
    const int column = cell_column(cell), at = t->lattice->move[column];
    const int lines = t->threes[side][cell];
    return (struct lack){.tower = t,
                         .side = side,
                         .cell = cell,
                         .row = at / 8,
                         .column = at % 8,
                         .below = cell_layer(cell) - t->height[column],
                         .lines = lines,
                         .points = tower_worth(t, lines)};
}

// Of all that threaten, those within reach first.
static void tell_lacks(const struct ruleset *rules, const void *state,
                       void (*tell)(const struct lack *lack, void *listener), void *listener) {
    struct threat_view *v = mem_lines(sizeof *v);
    struct net *net = tower_net_of(NULL);
    const struct tower_board *t = &v->tower;
    lattice_init(&v->lattice, rules);
    tower_read(&v->tower, &v->lattice, net, rules->game, state);
    for (int above = 0; above < LAYERS; above++)
        for (int side = 0; side < 2; side++)
            for (int column = 0; column < v->lattice.columns; column++) {
                const int cell = tower_cell(t, column) + above * COLUMNS_MAX;
                const struct lack lack = cell < CELLS ? lack_of(t, side, cell) : (struct lack){0};
                if (lack.lines)
                    tell(&lack, listener);
            }
    free(net);
    free(v);
}

static void write_lack(const struct lack *l, void *listener) {
    struct buf *out = listener;
    buf_format(out, "%c threatens %d line%s by %d,%d on layer %d, worth %d points now: ",
               l->side ? 'O' : 'X', l->lines, l->lines == 1 ? "" : "s", l->row, l->column,
               cell_layer(l->cell), l->points);
    if (l->below == 0)
        buf_text(out, "the next piece there\n");
    else
        buf_format(out, "once %d more %s there\n", l->below,
                   l->below == 1 ? "piece lies" : "pieces lie");
}

void tower_explain(const struct ruleset *rules, const void *state, struct buf *out) {
    tell_lacks(rules, state, write_lack, out);
    if (out->length == 0)
        buf_text(out, "nobody threatens a line\n");
}

// The lines that the side lacks nothing else for: their four cells as row, column, layer.
static json_t *lines_of(const struct lack *l) {
    const struct lattice *lattice = l->tower->lattice;
    json_t *lines = json_array();
    for (int i = 0; i < lattice->through_count[l->cell]; i++) {
        const int line = lattice->through[l->cell][i] / 4, place = lattice->through[l->cell][i] % 4;
        const uint8_t stones = l->tower->line[line];
        if ((l->side ? stones >> 4 : stones & LINE_FULL) != (LINE_FULL & ~(1 << place)))
            continue;
        json_t *cells = json_array();
        for (int k = 0; k < 4; k++) {
            const int cell = lattice->cell[line][k], at = lattice->move[cell_column(cell)];
            json_array_append_new(cells, json_pack("[i, i, i]", at / 8, at % 8, cell_layer(cell)));
        }
        json_array_append_new(lines, cells);
    }
    return lines;
}

static void add_lack(const struct lack *l, void *listener) {
    json_array_append_new(
        listener, json_pack("{s:i, s:o, s:i, s:i, s:i, s:o}", "player", l->side + 1, "move",
                            json_sprintf("%d,%d", l->row, l->column), "layer", cell_layer(l->cell),
                            "pieces_before", l->below, "points", l->points, "lines", lines_of(l)));
}

json_t *tower_facts(const struct ruleset *rules, const void *state) {
    json_t *list = json_array();
    tell_lacks(rules, state, add_lack, list);
    return json_pack("{s:o}", "threatened", list);
}
