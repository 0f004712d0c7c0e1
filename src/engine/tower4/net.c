// SPDX-License-Identifier: MIT
#include "engine/tower4/net.h"

#include "base/embed.h"
#include "base/mem.h"
#include "engine/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The kind of a line after a drop by the player who sees it.
static const int after[KINDS] = {1, 2, 3, KIND_DEAD, KIND_DEAD, KIND_DEAD, KIND_DEAD, KIND_DEAD};

// As the other player sees it.
static int swapped(int kind) {
    return kind == 0 || kind == KIND_DEAD ? kind
           : kind <= KIND_OTHER           ? kind + KIND_OTHER
                                          : kind - KIND_OTHER;
}

static void make_steps(struct net *net) {
    for (int orbit = 0; orbit < ORBITS_MAX; orbit++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int other = 0; other < 2; other++) {
                const int from = other ? swapped(kind) : kind;
                const int to = other ? swapped(after[kind]) : after[kind];
                const int16_t(*row)[UNITS] = &net->weights.row[ROWS_LINE + orbit * KINDS];
                for (int unit = 0; unit < UNITS; unit++)
                    net->step[orbit][kind][other][unit] =
                        (int16_t)(row[to][unit] - row[from][unit]);
            }
}

struct net *tower_net_of(const struct weights *weights) {
    struct net *net = mem_new(1, sizeof *net);
    net->weights = *weights;
    make_steps(net);
    return net;
}

static void name_of(const struct ruleset *rules, char name[static PACK_NAME_MAX]) {
    snprintf(name, PACK_NAME_MAX, "tower4-corners-%d", lattice_corners(rules));
}

bool tower_net_read(const void *bytes, size_t size, const struct ruleset *rules,
                    struct weights *weights, struct err *err) {
    char name[PACK_NAME_MAX];
    name_of(rules, name);
    return pack_read(bytes, size, name, (int16_t *)weights, WEIGHTS, err);
}

void tower_net_write(const struct weights *weights, const struct ruleset *rules, struct buf *out) {
    char name[PACK_NAME_MAX];
    name_of(rules, name);
    pack_write(out, name, (const int16_t *)weights, WEIGHTS, UNITS);
}

static bool find_weights(const struct ruleset *rules, struct weights *weights, struct err *err) {
    char path[PACK_NAME_MAX + 8], name[PACK_NAME_MAX];
    name_of(rules, name);
    snprintf(path, sizeof path, "%s.bin", name);
    for (const struct embed *file = weight_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return tower_net_read(file->bytes, file->size, rules, weights, err);
    return true;
}

// Weights that the program carries for the field, else none: then only lines made count.
struct net *tower_net_new(const struct ruleset *rules, struct err *err) {
    struct weights *weights = mem_new(1, sizeof *weights);
    struct net *net = NULL;
    if (find_weights(rules, weights, err))
        net = tower_net_of(weights);
    free(weights);
    return net;
}
