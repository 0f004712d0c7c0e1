// SPDX-License-Identifier: MIT
// Training of engines: what all of them share. A training lives in a folder; everything in it is
// written whole or not at all, so a training that was killed goes on from what is there.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "games/game.h"

struct training {
    struct ruleset rules;
    const char *sum; // of the rules, where they came as a folder; "": they are ours
    const char *folder;
    uint64_t seed;
    int64_t games;    // of the last generation; 0: the trainer's choice
    int generations;  // 0: the trainer's choice
    int64_t nodes;    // of a move; 0: the trainer's choice
    const char *from; // a file with the weights to begin with; NULL: none
    int threads;
    int64_t until_us; // by the clock; 0: until it is done
    void (*say)(void *listener, const char *line);
    void *listener;
};

__attribute__((format(printf, 2, 3))) void train_say(const struct training *training,
                                                     const char *format, ...);
// Makes the folder and keeps other trainings out of it until what is returned is closed; -1 with an
// error if one is at work there.
int train_lock(const struct training *training, struct err *err);
// Makes the folder, and notes in it what is trained; refuses a folder of another training. What the
// plan holds must be all that its files depend on, besides the rules and the seed, which are noted
// too.
bool train_begin(const struct training *training, const char *plan, struct err *err);
// The same in a file of that name, for what is measured in the folder of a training.
bool train_note(const struct training *training, const char *name, const char *plan,
                struct err *err);
// Nodes of a move.
static inline uint64_t train_nodes(const struct training *training, uint64_t usual) {
    return training->nodes ? (uint64_t)training->nodes : usual;
}
// The numbers from 0 on in an order drawn at random, from the order they are in.
void train_shuffle(struct rng *rng, uint32_t *order, size_t count);
// Files in the folder.
bool train_has(const struct training *training, const char *name);
bool train_save(const struct training *training, const char *name, const void *bytes, size_t size,
                struct err *err);
bool train_load(const struct training *training, const char *name, struct buf *out,
                struct err *err);
// The same with a seal at the end, by which a file that was cut or changed is found out. Saving
// adds the seal to the bytes; loading takes it off.
bool train_save_sealed(const struct training *training, const char *name, struct buf *bytes,
                       struct err *err);
bool train_load_sealed(const struct training *training, const char *name, struct buf *out,
                       struct err *err);

// A set of numbered files, each made by a call that depends on nothing but its number.
struct chunks {
    const char *name; // files are NAME-0.bin, NAME-1.bin, ...
    int count;
    void (*make)(const void *maker, int number, struct buf *out);
    const void *maker;
};

// Makes those that are missing, in the threads of the training, until the time is up. Returns as a
// trainer does.
bool train_make(const struct training *training, const struct chunks *chunks, struct err *err);
// Of files that hold so many things each, those that hold all.
static inline int chunks_for(int64_t things, int each) { return (int)((things + each - 1) / each); }
// Both: makes them, and appends all to `out`.
bool train_collect(const struct training *training, const struct chunks *chunks, struct buf *out,
                   struct err *err);
// Appends all to `out`.
bool train_gather(const struct training *training, const struct chunks *chunks, struct buf *out,
                  struct err *err);
