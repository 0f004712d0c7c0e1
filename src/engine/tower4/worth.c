// SPDX-License-Identifier: MIT
#include "engine/tower4/worth.h"

#include "base/mem.h"
#include "engine/tower4/duel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 200, NODES = 4000, NAME_BYTES = 32 };

#define TOWER_TECHNIQUE(name, text) text,
static const char *const texts[TECHNIQUES] = {TOWER_TECHNIQUES(TOWER_TECHNIQUE)};
#undef TOWER_TECHNIQUE

// What the duels of a run have in common.
struct run {
    const struct training *training;
    struct lattice lattice;
    const struct net *net;   // of the program
    const struct net *blank; // knows nothing
    struct net **generation;
};

static uint64_t worth_nodes(const struct training *t) {
    return (uint64_t)(t->nodes ? t->nodes : NODES);
}

static struct duel duel_of(const struct run *run) {
    const int64_t count = run->training->games ? run->training->games : GAMES;
    return (struct duel){.lattice = &run->lattice,
                         .seed = run->training->seed,
                         .nodes = NODES,
                         .pairs = (int)((count + 1) / 2)};
}

static void make_technique(const void *maker, int number, struct buf *out) {
    const struct run *run = maker;
    struct duel duel = duel_of(run);
    struct tally tally;
    duel.nodes = worth_nodes(run->training);
    duel.rival[0] = (struct rival){.net = run->net};
    duel.rival[1] = (struct rival){.net = number == TECHNIQUE_NET ? run->blank : run->net,
                                   .without = UINT32_C(1) << number};
    duel_play(&duel, &tally);
    buf_put(out, &tally, sizeof tally);
}

static void make_generation(const void *maker, int number, struct buf *out) {
    const struct run *run = maker;
    struct duel duel = duel_of(run);
    struct tally tally;
    duel.rival[0] = (struct rival){.net = run->generation[number + 1]};
    duel.rival[1] = (struct rival){.net = run->generation[number]};
    duel_play(&duel, &tally);
    buf_put(out, &tally, sizeof tally);
}

static bool tell(const struct run *run, const struct chunks *chunks,
                 void (*name)(int number, struct buf *out), struct err *err) {
    struct buf tallies = {.data = NULL};
    const bool good = train_make(run->training, chunks, err) &&
                      train_gather(run->training, chunks, &tallies, err);
    for (int i = 0; good && i < chunks->count; i++) {
        struct buf line = {.data = NULL};
        name(i, &line);
        tally_write(&((const struct tally *)tallies.data)[i], &line);
        train_say(run->training, "%s", line.data);
        buf_done(&line);
    }
    buf_done(&tallies);
    return good;
}

static void name_technique(int number, struct buf *out) {
    buf_format(out, "with %s: ", texts[number]);
}

static void name_generation(int number, struct buf *out) {
    buf_format(out, "generation %d against %d: ", number + 1, number);
}

static struct net *blank_net(void) {
    struct weights *none = mem_new(1, sizeof *none);
    struct net *net = tower_net_of(none);
    free(none);
    return net;
}

bool tower4_worth(const struct training *t, struct err *err) {
    struct run *run = mem_new(1, sizeof *run);
    struct net *net = tower_net_new(&t->rules, err), *blank = blank_net();
    const struct chunks chunks = {
        .name = "worth", .count = TECHNIQUES, .make = make_technique, .maker = run};
    char plan[256];
    run->training = t;
    run->net = net;
    run->blank = blank;
    lattice_init(&run->lattice, &t->rules);
    snprintf(plan, sizeof plan,
             "tower4 worth, corners %d, seed %" PRIu64 ", games %" PRId64 ", nodes %" PRIu64 "\n",
             lattice_corners(&t->rules), t->seed, t->games ? t->games : GAMES, worth_nodes(t));
    const bool done = net && train_begin(t, plan, err) && tell(run, &chunks, name_technique, err);
    free(net);
    free(blank);
    free(run);
    return done;
}

static struct net *load_net(const struct training *t, int number, struct err *err) {
    struct buf packed = {.data = NULL};
    struct weights *weights = mem_new(1, sizeof *weights);
    struct net *net = NULL;
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "weights-%d.bin", number);
    if (train_has(t, name) && train_load(t, name, &packed, err) &&
        tower_net_read(packed.data, packed.length, &t->rules, weights, err))
        net = tower_net_of(weights);
    buf_done(&packed);
    free(weights);
    return net;
}

bool tower4_curve(const struct training *t, struct err *err) {
    enum { GENERATIONS_MAX = 32 };
    struct net *nets[GENERATIONS_MAX];
    struct run *run = mem_new(1, sizeof *run);
    int count = 0;
    run->training = t;
    run->generation = nets;
    lattice_init(&run->lattice, &t->rules);
    while (count < GENERATIONS_MAX && (nets[count] = load_net(t, count, err)))
        count++;
    const struct chunks chunks = {
        .name = "curve", .count = count > 0 ? count - 1 : 0, .make = make_generation, .maker = run};
    const bool done = !err->set && tell(run, &chunks, name_generation, err);
    while (count > 0)
        free(nets[--count]);
    free(run);
    return done;
}
