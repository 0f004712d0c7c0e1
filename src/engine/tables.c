// SPDX-License-Identifier: MIT
// engine-tables BYTES SOURCE WEIGHTS: a program of the build. It works out what players look up and
// what never changes: the weights of a folder, unpacked, the races of hopchess, the lines of
// connect6. All of it goes to the file BYTES as it lies in memory, and SOURCE gives the tables
// their names in the program. So a player that starts has nothing to work out: the system maps the
// pages that it looks at, and all players share them.
//
// Weights that are not there are those that a training begins with; a file that is not what it
// should be ends the build.
#include "base/mem.h"
#include "base/path.h"
#include "engine/connect6/net.h"
#include "engine/hopchess/net.h"
#include "engine/reversi/eval.h"
#include "engine/tower4/net.h"
#include "games/registry.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64, FILE_MAX = 1 << 24 };

struct tables {
    const char *weights; // their folder
    struct buf bytes, source;
    struct err err;
};

// What follows gets a name, and begins with a cache line.
static void begin(struct tables *t, const char *symbol) {
    static const char gap[LINE];
    buf_put(&t->bytes, gap, -t->bytes.length % LINE);
    buf_format(&t->source, "    \".globl %s\\n%s = engine_tables + %zu\\n\"\n", symbol, symbol,
               t->bytes.length);
}

// The packed weights of a file; none if it is not there.
static struct buf packed(const struct tables *t, const char *file) {
    struct buf path = {.data = NULL}, weights = {.data = NULL};
    buf_format(&path, "%s/%s", t->weights, file);
    path_read(path.data, FILE_MAX, &weights);
    buf_done(&path);
    return weights;
}

static void put_eval(struct tables *t, enum board_kind kind, const char *file) {
    struct buf weights = packed(t, file);
    struct eval *eval =
        weights.data ? eval_unpack(kind, weights.data, weights.length, &t->err) : eval_empty(kind);
    if (eval) {
        free(eval->patterns.kept_of);
        eval->patterns.kept_of = NULL;
        buf_put(&t->bytes, eval, eval_bytes(&eval->patterns));
    }
    eval_free(eval);
    buf_done(&weights);
}

static void put_hopnet(struct tables *t) {
    struct buf weights = packed(t, "hopchess.bin");
    struct hopnet net;
    hopnet_begin(&net);
    if (weights.data)
        hopnet_read(weights.data, weights.length, &net, &t->err);
    buf_put(&t->bytes, &net, sizeof net);
    buf_done(&weights);
}

static void put_races(struct tables *t) {
    size_t bytes;
    struct races *races = races_new(&bytes);
    buf_put(&t->bytes, races, bytes);
    free(races);
}

static void put_tower_net(struct tables *t, const char *corners, const char *file) {
    struct buf packing = packed(t, file);
    struct tower_weights *weights = mem_new(1, sizeof *weights);
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, &game_tower4);
    ruleset_set(&rules, "corners", corners, why);
    if (packing.data)
        tower_net_read(packing.data, packing.length, &rules, weights, &t->err);
    struct net *net = tower_net_of(weights);
    buf_put(&t->bytes, net, sizeof *net);
    free(net);
    free(weights);
    buf_done(&packing);
}

static void put_lines(struct tables *t, bool exact) {
    struct line_kinds lines;
    lines_init(&lines, exact);
    buf_put(&t->bytes, &lines, sizeof lines);
}

static void put_net6(struct tables *t) {
    struct buf packing = packed(t, "connect6.bin");
    struct net6_weights *weights = mem_new(1, sizeof *weights);
    struct net6 *net = mem_lines(sizeof *net);
    if (packing.data)
        net6_read(packing.data, packing.length, weights, &t->err);
    net6_make(net, weights);
    buf_put(&t->bytes, net, sizeof *net);
    free(net);
    free(weights);
    buf_done(&packing);
}

static void put_all(struct tables *t) {
    begin(t, "eval_open");
    put_eval(t, BOARD_OPEN, "reversi-open.bin");
    begin(t, "eval_othello");
    put_eval(t, BOARD_OTHELLO, "reversi-othello.bin");
    begin(t, "hopnet_carried");
    put_hopnet(t);
    begin(t, "races_carried");
    put_races(t);
    begin(t, "tower_nets");
    put_tower_net(t, "1", "tower4-corners-1.bin");
    put_tower_net(t, "3", "tower4-corners-3.bin");
    begin(t, "lines_carried");
    put_lines(t, false);
    put_lines(t, true);
    begin(t, "net6_carried");
    put_net6(t);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    struct tables t = {.weights = argv[3]};
    buf_format(&t.source,
               "__asm__(\n    \".pushsection .rodata\\n.balign %d\\n\"\n"
               "    \"engine_tables: .incbin \\\"%s\\\"\\n\"\n",
               LINE, argv[1]);
    put_all(&t);
    buf_text(&t.source, "    \".popsection\");\n");
    const bool written = !t.err.set && path_write(argv[1], t.bytes.data, t.bytes.length) &&
                         path_write(argv[2], t.source.data, t.source.length);
    if (!written)
        fprintf(stderr, "engine-tables: %s\n", t.err.set ? t.err.text : "cannot write");
    buf_done(&t.bytes);
    buf_done(&t.source);
    return !written;
}
