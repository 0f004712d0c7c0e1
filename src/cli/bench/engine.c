// SPDX-License-Identifier: MIT
// Every engine on fixed positions with a fixed number of nodes: how many a second, and a signature
// of all it said. The signature changes when the search does, and with nothing else.
#include "engine/engine.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/rng.h"
#include "cli/bench/bench.h"
#include "cli/setup.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { POSITIONS = 10 };

// Middles of games of the engine against itself: most random positions of connect6 are decided.
static const char *const quiet_connect6[POSITIONS] = {
    "19/19/19/19/4O14/5X1O11/6X3O8/6OXXX2O6/6O1X10/5O2XO9/8X1X8/19/19/19/19/19/19/19/19",
    "4#14/19/19/19/19/19/19/19/9X9/9O9/19/#8#2O1X4/10XXOO5/11OOX5/2#6X1O#6/11OX6/19/18#/19",
    "19/19/19/19/5X13/5OX1O2X1O5/4XOOOO10/5O1X11/19/13X5/5X13/19/19/19/19/19/19/19/19",
    "19/19/19/11X7/8X1X1O6/7O1X1#XO5/8O1XOX6/12XO5/13X5/11XOO5/12X6/11O7/14O4/19/19/19/19/#18/19",
    "19/19/19/19/19/19/19/19/6X12/19/5O13/#18/7O11/7X1OOOXO5/7XOXX8/6OX1#9/19/19/19",
    "19/19/19/19/19/19/19/5O1XX10/19/5O13/6O12/5X1O11/6XO11/7X11/8O10/19/19/19/19",
    "19/19/19/19/4XO13/5OX12/5OOX11/5X1O11/19/8XXOX7/10O8/10O8/19/19/19/19/19/19/19",
    "19/19/19/19/19/19/19/19/6X3O2X5/5O13/4OOX12/3OXX13/19/6O1XX9/19/19/19/19/19",
    "19/19/19/19/9O9/10X2OX4/10OXOX5/12#XO4/11O1X5/14O4/13O5/6O4OXXX4/19/19/19/19/14#4/19/19",
    "19/19/19/9#9/19/19/5X13/19/19/7O3X7/19/11X1O5/13O5/8X2OOOX4/19/19/19/19/5#13",
};

static const struct subject {
    const char *label, *game, *key, *value;
    const char *const *positions; // or NULL: of random games
} subjects[] = {
    {"cuptactoe", "cuptactoe", NULL, NULL, NULL},
    {"reversi", "reversi", NULL, NULL, NULL},
    {"reversi othello", "reversi", "board", "othello", NULL},
    {"tower4", "tower4", NULL, NULL, NULL},
    {"hopchess", "hopchess", NULL, NULL, NULL},
    {"connect6", "connect6", NULL, NULL, NULL},
    {"connect6, 10 blocks", "connect6", "blocks", "3,3 15,3 3,15 15,15 9,4 9,14 4,9 14,9 7,7 11,11",
     NULL},
    {"connect6, quiet", "connect6", NULL, NULL, quiet_connect6},
};

struct engine_tally {
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

static void lay(const struct setup *setup, const char *position, union game_state *state) {
    char why[WHY_TEXT_MAX];
    const bool good = setup->game->start(state, &setup->rules, position, why);
    assert(good);
    (void)good;
}

static void measure(const struct setup *setup, const struct subject *subject, uint64_t seed,
                    uint64_t nodes, struct engine_tally *tally) {
    const struct limits limits = {.nodes = nodes};
    struct rng rng = {seed};
    struct brain *brain = brain_new(&setup->rules, LEVEL_STRONG, 1, seed);
    for (int i = 0; i < POSITIONS; i++) {
        union game_state state;
        struct thought t;
        if (subject->positions)
            lay(setup, subject->positions[i], &state);
        else
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
}

static void print_tally(const char *label, const struct engine_tally *t, bool json) {
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
    if (!args_number(args, (struct number_option){"--seed", 1, 0, INT64_MAX}, &seed, err) ||
        !args_number(args, (struct number_option){"--nodes", 200000, 1, INT64_MAX}, &nodes, err) ||
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
        struct engine_tally tally = {0};
        if ((name && strcmp(subjects[i].game, name) != 0) || !engine_find(subjects[i].game))
            continue;
        setup_make(&setup, subjects[i].game, subjects[i].key, subjects[i].value);
        measure(&setup, &subjects[i], (uint64_t)seed, (uint64_t)nodes, &tally);
        print_tally(subjects[i].label, &tally, json);
    }
    return 0;
}
