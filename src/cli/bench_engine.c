// SPDX-License-Identifier: MIT
// Every engine on fixed positions with a fixed number of nodes: how many a second, and a signature
// of all it said. The signature changes when the search does, and with nothing else.
#include "base/clock.h"
#include "base/json.h"
#include "base/rng.h"
#include "cli/bench.h"
#include "cli/setup.h"
#include "engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { POSITIONS = 10 };

static const struct {
    const char *label, *game, *key, *value;
} subjects[] = {
    {"cuptactoe", "cuptactoe", NULL, NULL},
    {"reversi", "reversi", NULL, NULL},
    {"reversi othello", "reversi", "board", "othello"},
    {"tower4", "tower4", NULL, NULL},
    {"hopchess", "hopchess", NULL, NULL},
    {"connect6", "connect6", NULL, NULL},
    {"connect6, 10 blocks", "connect6", "blocks",
     "3,3 15,3 3,15 15,15 9,4 9,14 4,9 14,9 7,7 11,11"},
};

struct tally {
    uint64_t nodes, signature;
    int64_t us;
    int depth;
};

// A position of a random game, as many plies in as `share` of its length.
static void play_into(const struct setup *setup, struct rng *rng, int share,
                      union game_state *state) {
    const struct game *game = setup->game;
    union game_state scout = setup->start;
    struct rng same = *rng;
    int length = 0;
    while (!game_is_over(game, &scout)) {
        game->apply(&scout, game->nth(&scout, (int)rng_below(rng, (uint32_t)game->count(&scout))));
        length++;
    }
    *state = setup->start;
    for (int i = 0; i < length * share / POSITIONS; i++)
        game->apply(state, game->nth(state, (int)rng_below(&same, (uint32_t)game->count(state))));
}

static bool measure(const struct setup *setup, uint64_t seed, uint64_t nodes, struct tally *tally,
                    struct err *err) {
    const struct limits limits = {.nodes = nodes};
    struct rng rng = {seed};
    struct brain *brain = brain_new(&setup->rules, LEVEL_STRONG, 1, seed, err);
    if (!brain)
        return false;
    for (int i = 0; i < POSITIONS; i++) {
        union game_state state;
        struct thought t;
        play_into(setup, &rng, i, &state);
        const int64_t begin = clock_cpu_us();
        brain_think(brain, &state, &limits, &t);
        tally->us += clock_cpu_us() - begin;
        tally->nodes += t.nodes;
        tally->depth += t.depth;
        struct rng mix = {tally->signature ^ t.nodes ^ (uint64_t)t.pv[0] << 32 ^
                          (uint64_t)(uint32_t)t.value << 16};
        tally->signature = rng_next(&mix);
    }
    brain_free(brain);
    return true;
}

static void print_tally(const char *label, const struct tally *t, bool json) {
    const double rate = (double)t->nodes / (double)(t->us + 1);
    char signature[24];
    snprintf(signature, sizeof signature, "%016" PRIx64, t->signature);
    if (json)
        json_print_line(stdout, json_pack("{s:s, s:I, s:I, s:f, s:f, s:s}", "bench", label, "nodes",
                                          (json_int_t)t->nodes, "cpu_us", (json_int_t)t->us,
                                          "million_nodes_per_s", rate, "depth",
                                          (double)t->depth / POSITIONS, "signature", signature));
    else
        printf("%-20s %10" PRIu64 " %8.2f %10.2f %7.1f  %s\n", label, t->nodes, (double)t->us / 1e6,
               rate, (double)t->depth / POSITIONS, signature);
    fflush(stdout);
}

int bench_engine(const struct args *args, struct err *err) {
    int64_t seed, nodes;
    const char *name = args_value(args, "--game");
    const bool json = args_value(args, "--json") != NULL;
    if (!args_number(args, "--seed", 1, 0, INT64_MAX, &seed, err) ||
        !args_number(args, "--nodes", 200000, 1, INT64_MAX, &nodes, err) ||
        (name && !setup_game(name, err)))
        return -1;
    if (name && !engine_find(name)) {
        err_set(err, "there is no engine for %s yet", name);
        return -1;
    }
    if (!json)
        printf("%d positions each, one thread, CPU time; fixed loop: %.0f million steps/s\n"
               "%-20s %10s %8s %10s %7s  %s\n",
               POSITIONS, bench_calibrate(), "", "nodes", "s", "M nodes/s", "depth", "signature");
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        struct setup setup;
        struct tally tally = {0};
        if ((name && strcmp(subjects[i].game, name) != 0) || !engine_find(subjects[i].game))
            continue;
        setup_make(&setup, subjects[i].game, subjects[i].key, subjects[i].value);
        if (!measure(&setup, (uint64_t)seed, (uint64_t)nodes, &tally, err))
            return -1;
        print_tally(subjects[i].label, &tally, json);
    }
    return 0;
}
