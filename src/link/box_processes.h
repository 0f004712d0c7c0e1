// SPDX-License-Identifier: MIT
// A boxed player's processes: held and let go, with the CPU time they use meanwhile, and their
// memory. Zeroed by its owner, set up by box_processes_init, freed by box_processes_done; the tree
// is borrowed.
#pragma once

#include "link/box.h"
#include "link/process_tree.h"

struct box_processes {
    const struct box *box;
    struct process_tree *tree;
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
bool box_processes_init(struct box_processes *held, const struct program *program,
                        struct process_tree *tree);
const struct cgroup *box_processes_group(const struct box_processes *held); // NULL: none
void box_processes_favour(struct box_processes *held, bool favoured);
void box_processes_hold(struct box_processes *held);
void box_processes_settle(struct box_processes *held);
void box_processes_release(struct box_processes *held);
int64_t box_processes_cpu_us(struct box_processes *held);
void box_processes_run_times(struct box_processes *held, struct run_times *times);
// Whether its memory has to be looked at now and then; and does so: true if it is too much.
bool box_processes_must_look(const struct box_processes *held);
bool box_processes_look(struct box_processes *held);
void box_processes_usage(const struct box_processes *held, struct usage *usage);
void box_processes_done(struct box_processes *held);
