// SPDX-License-Identifier: MIT
// What is measured is a duel between two forms of the player with the same nodes: the whole one and
// one without a technique, or the nets of two generations. A duel is cut into files of ten pairs of
// games. A file depends on its number alone and holds a tally; tallies add up, so a measurement
// that was stopped goes on.
#include "train/trainers.h"

#include "base/mem.h"
#include "train/tower4/duel.h"
#include "train/tower4/learn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 200, NODES = 4000, NAME_BYTES = 48, PART_PAIRS = 10 }; // of a file

static const struct {
    const char *name, *text;
} techniques[TECHNIQUES] = {
#define TOWER_TECHNIQUE(name, text) {#name, text},
    TOWER_TECHNIQUES(TOWER_TECHNIQUE)
#undef TOWER_TECHNIQUE
};

static int64_t ablation_games(const struct training *t) { return t->games ? t->games : GAMES; }

// Part of a duel, by its number.
static void tower_part(const void *maker, int number, struct buf *out) {
    struct duel part = *(const struct duel *)maker;
    struct duel_tally tally;
    part.first = number * PART_PAIRS;
    part.pairs -= part.first;
    part.pairs = part.pairs < PART_PAIRS ? part.pairs : PART_PAIRS;
    duel_play(&part, &tally);
    buf_put(out, &tally, sizeof tally);
}

static void tell(const struct training *t, const char *title, const struct buf *tallies) {
    const struct duel_tally *parts = (const struct duel_tally *)tallies->data;
    struct duel_tally all = {.won = 0};
    struct buf line = {.data = NULL};
    for (size_t i = 0; i < tallies->length / sizeof *parts; i++)
        tally_add(&all, &parts[i]);
    tally_write(&all, &line);
    train_say(t, "%s: %s", title, line.data);
    buf_done(&line);
}

// What is to be measured, and how it is called.
struct ablation_duel {
    const struct lattice *lattice;
    struct rival first, second;
    char name[NAME_BYTES], title[128]; // of its files, and for people
};

// Plays what is missing of a duel between these two, and says how it went.
static bool run_duel(const struct training *t, const struct ablation_duel *c, struct err *err) {
    const struct duel duel = {.lattice = c->lattice,
                              .rival = {c->first, c->second},
                              .seed = t->seed,
                              .nodes = train_nodes(t, NODES),
                              .pairs = (int)((ablation_games(t) + 1) / 2)};
    const struct chunks chunks = {.name = c->name,
                                  .count = chunks_for(duel.pairs, PART_PAIRS),
                                  .make = tower_part,
                                  .maker = &duel};
    struct buf tallies = {.data = NULL};
    const bool done = train_collect(t, &chunks, &tallies, err);
    if (done)
        tell(t, c->title, &tallies);
    buf_done(&tallies);
    return done;
}

static bool run_technique(const struct training *t, const struct lattice *lattice,
                          const struct net *net, const struct net *blank, int number,
                          struct err *err) {
    struct ablation_duel c = {
        .lattice = lattice,
        .first = {.net = net},
        .second = {.net = number == TECHNIQUE_NET ? blank : net, .without = UINT32_C(1) << number}};
    snprintf(c.name, sizeof c.name, "worth-%s", techniques[number].name);
    snprintf(c.title, sizeof c.title, "with %s", techniques[number].text);
    return run_duel(t, &c, err);
}

bool tower4_ablation(const struct training *t, struct err *err) {
    struct lattice *lattice = mem_new(1, sizeof *lattice);
    const struct net *net = tower_net_find(&t->rules);
    struct net *blank = tower_net_of(NULL);
    char plan[128];
    lattice_init(lattice, &t->rules);
    snprintf(plan, sizeof plan, "worth, %" PRId64 " games, %" PRIu64 " nodes", ablation_games(t),
             train_nodes(t, NODES));
    bool done = train_begin(t, plan, err);
    for (int i = 0; done && i < TECHNIQUES; i++)
        done = run_technique(t, lattice, net, blank, i, err);
    free(blank);
    free(lattice);
    return done;
}

// There must be a training in the folder.
static bool begin_curve(const struct training *t, struct err *err) {
    char plan[128];
    if (!generations_has(t, 0))
        return err_set(err, "%s holds no weights-0.bin: train tower4 there first", t->folder);
    snprintf(plan, sizeof plan, "curve, %" PRId64 " games", ablation_games(t));
    return train_note(t, "curve.txt", plan, err);
}

static bool tower_meet(const struct training *t, int number, const void *next, const void *before,
                       struct err *err) {
    const struct tower_player *first = next, *second = before;
    struct ablation_duel c = {
        .lattice = &first->lattice, .first = {.net = first->net}, .second = {.net = second->net}};
    snprintf(c.name, sizeof c.name, "curve-%d-%" PRIu64, number, train_nodes(t, NODES));
    snprintf(c.title, sizeof c.title, "generation %d against %d", number, number - 1);
    return run_duel(t, &c, err);
}

bool tower4_curve(const struct training *t, struct err *err) {
    return begin_curve(t, err) && generations_compare(&tower_generations, t, 1, tower_meet, err);
}
