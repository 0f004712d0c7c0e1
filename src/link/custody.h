// SPDX-License-Identifier: MIT
// A boxed player's processes: held and let go, with the CPU time they use meanwhile, and their
// memory. Zeroed by its owner, set up by custody_init, freed by custody_done; the family is
// borrowed.
#pragma once

#include "link/box.h"
#include "link/family.h"

struct custody {
    const struct box *box;
    struct family *family;
    struct cgroup group; // its `at` is NULL where there is none
    int64_t memory;      // limit, bytes; 0: none
    bool by_use;         // which is held without a box too
    enum box_core core;  // how it is given to this one or another
    bool resting;        // another has it
    bool held, confirmed;
    int64_t held_cpu_us; // when it had settled after that; -1: it has not
    int64_t frozen_us;   // used while it was held, so far
    int holds, unconfirmed;
    int64_t peak; // seen by looking now and then
    bool over;
};

// Makes the group of a program that is about to be started, where the level has one. False with
// errno set.
bool custody_init(struct custody *custody, const struct program *program, struct family *family);
const struct cgroup *custody_group(const struct custody *custody); // NULL: none
void custody_favour(struct custody *custody, bool favoured);
void custody_hold(struct custody *custody);
void custody_settle(struct custody *custody);
void custody_release(struct custody *custody);
int64_t custody_cpu_us(struct custody *custody);
void custody_run_times(struct custody *custody, struct run_times *times);
// Whether its memory has to be looked at now and then; and does so: true if it is too much.
bool custody_must_look(const struct custody *custody);
bool custody_look(struct custody *custody);
void custody_usage(const struct custody *custody, struct usage *usage);
void custody_done(struct custody *custody);
