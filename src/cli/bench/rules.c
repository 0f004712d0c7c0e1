// SPDX-License-Identifier: MIT
// `arbiter bench rules`: random games through the rules, in CPU time, from a seed.
#include "cli/bench/bench.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/rng.h"
#include "cli/setup.h"
#include "folder/folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The rulesets measured, and the random games a second that each must reach on one core.
struct rules_subject {
    const char *label, *game, *key, *value;
    int64_t least; // 0: measured only
};

static const struct rules_subject subjects[] = {
    {"cuptactoe", "cuptactoe", NULL, NULL, 300000},
    {"reversi, open", "reversi", NULL, NULL, 100000},
    {"reversi, othello", "reversi", "board", "othello", 100000},
    {"tower4", "tower4", NULL, NULL, 100000},
    {"tower4, 32 columns", "tower4", "corners", "1", 100000},
    {"hopchess", "hopchess", NULL, NULL, 0},
    {"connect6", "connect6", NULL, NULL, 50000},
    {"connect6, 10 blocks", "connect6", "blocks", "3,3 15,3 3,15 15,15 9,9 9,3 3,9 9,15 15,9 10,10",
     50000},
};

struct rules_tally {
    int64_t games, plies, us;
    uint64_t sum; // of the last states' keys: the same for the same seed and number of games
};

static void play_random(const struct setup *setup, struct rng *rng, struct rules_tally *tally) {
    const struct game *game = setup->game;
    union game_state state;
    memcpy(&state, &setup->start, game->state_size);
    for (int count; (count = game->count(&state)) > 0; tally->plies++)
        game->apply(&state, game->nth(&state, (int)rng_below(rng, (uint32_t)count)));
    tally->games++;
    tally->sum += game_hash(game, &state);
}

// Plays a fixed number of games if one is given, otherwise for that long.
static struct rules_tally measure(const struct setup *setup, uint64_t seed, int64_t limit,
                                  int64_t us) {
    struct rng rng = {seed};
    struct rules_tally tally = {0};
    const int64_t begin = clock_cpu_us();
    do {
        for (int i = 0; i < 100 && (limit == 0 || tally.games < limit); i++)
            play_random(setup, &rng, &tally);
        tally.us = clock_cpu_us() - begin + 1; // never 0, rates divide by it
    } while (limit ? tally.games < limit : tally.us < us);
    return tally;
}

// Each step waits for the one before.
double bench_calibrate(void) {
    const int steps = 50000000;
    struct rng rng = {1};
    const int64_t begin = clock_cpu_us();
    for (int i = 0; i < steps; i++)
        rng.state = rng_next(&rng);
    const int64_t us = clock_cpu_us() - begin + (rng.state == 0);
    return us ? (double)steps / (double)us : 0;
}

static void print_json(const char *label, int64_t seed, const struct rules_tally *t, double rate) {
    json_print_line(stdout, json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:I}", "bench", label, "seed",
                                      (json_int_t)seed, "games", (json_int_t)t->games, "plies",
                                      (json_int_t)t->plies, "cpu_us", (json_int_t)t->us,
                                      "games_per_s", rate, "signature", (json_int_t)(t->sum >> 1)));
}

static void print_row(const char *label, int64_t least, const struct rules_tally *t, double rate) {
    char aim[24] = "-";
    if (least)
        snprintf(aim, sizeof aim, "%" PRId64, least);
    printf("%-20s %9" PRId64 " %11.1f %8.1f %9.0f %9s%s\n", label, t->games,
           (double)t->plies / (double)t->games, (double)t->us * 1000 / (double)t->plies, rate, aim,
           rate < (double)least ? "  short" : "");
}

struct rules_measuring {
    int64_t seed, limit, ms;
    bool json;
};

static void measure_one(const struct rules_subject *subject, const struct rules_measuring *m) {
    struct setup setup;
    setup_make(&setup, subject->game, subject->key, subject->value);
    const struct rules_tally t = measure(&setup, (uint64_t)m->seed, m->limit, m->ms * 1000);
    const double rate = (double)t.games * 1e6 / (double)t.us;
    if (m->json)
        print_json(subject->label, m->seed, &t, rate);
    else
        print_row(subject->label, subject->least, &t, rate);
    fflush(stdout);
}

// Those that came as folders, or one of them. They are last: rules that fail end the process.
static void measure_added(const struct game *only, const struct rules_measuring *m) {
    for (int i = 0; i < game_count(); i++) {
        const struct game *game = game_nth(i);
        if (folder_of(game) && (!only || only == game) && game_find(game->name))
            measure_one(&(struct rules_subject){game->name, game->name, NULL, NULL, 0}, m);
    }
}

int bench_rules(const struct args *args, struct err *err) {
    int64_t seed, limit, ms;
    if (!args_number(args, (struct number_option){"--seed", 1, 0, INT64_MAX}, &seed, err) ||
        !args_number(args, (struct number_option){"--games", 0, 1, 1000000000}, &limit, err) ||
        !args_number(args, (struct number_option){"--time", 1000, 1, 3600000}, &ms, err))
        return -1;
    const char *name = args_value(args, "--game");
    const struct game *game = name ? setup_game(name, err) : NULL;
    if (name && !game)
        return -1;
    const struct rules_measuring m = {seed, limit, ms, args_value(args, "--json") != NULL};
    if (!m.json)
        printf("random games on one core, seed %" PRId64
               ", CPU time; fixed loop: %.0f million steps/s\n"
               "%-20s %9s %11s %8s %9s %9s\n",
               seed, bench_calibrate(), "", "games", "plies/game", "ns/ply", "games/s", "at least");
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        if (!game || strcmp(subjects[i].game, game->name) == 0)
            measure_one(&subjects[i], &m);
    }
    measure_added(game, &m);
    return 0;
}
