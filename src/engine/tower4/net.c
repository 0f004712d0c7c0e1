// SPDX-License-Identifier: MIT
// The training knows one row for each class and kind of line, as the player sees it whose sums it
// is added to. A drop changes a line for both players at once, so the search looks up both rows
// side by side, in one cache line: that of the kind, and that of the kind with the colours swapped.
#include "engine/tower4/net.h"

#include "base/mem.h"
#include "engine/pack.h"

#include <stdio.h>
#include <string.h>

// As the other player sees it.
static int swapped(int kind) {
    return kind == 0 || kind == KIND_DEAD ? kind
           : kind <= KIND_OTHER           ? kind + KIND_OTHER
                                          : kind - KIND_OTHER;
}

static void fill_lines(struct net *net) {
    for (int i = 0; i < ORBITS_MAX * KINDS; i++) {
        const int orbit = i / KINDS, kind = i % KINDS;
        if (kind == 0)
            continue; // lines without stones count for nothing
        const int16_t(*row)[UNITS] = &net->weights.row[ROWS_LINE + orbit * KINDS];
        memcpy(net->line[orbit][kind][0], row[kind], sizeof *row);
        memcpy(net->line[orbit][kind][1], row[swapped(kind)], sizeof *row);
    }
}

struct net *tower_net_of(const struct tower_weights *weights) {
    struct net *net = mem_lines(sizeof *net);
    if (weights)
        net->weights = *weights;
    fill_lines(net);
    return net;
}

static void name_of(const struct ruleset *rules, char name[static PACK_NAME_MAX]) {
    snprintf(name, PACK_NAME_MAX, "tower4-corners-%d", lattice_corners(rules));
}

bool tower_net_read(const void *bytes, size_t size, const struct ruleset *rules,
                    struct tower_weights *weights, struct err *err) {
    char name[PACK_NAME_MAX];
    name_of(rules, name);
    return pack_read(bytes, size, name, (int16_t *)weights, WEIGHTS, err);
}

void tower_net_write(const struct tower_weights *weights, const struct ruleset *rules,
                     struct buf *out) {
    char name[PACK_NAME_MAX];
    name_of(rules, name);
    pack_write(out, name, (const int16_t *)weights, WEIGHTS, UNITS);
}
