// SPDX-License-Identifier: MIT
// The processes that have come of one: what they have used, and signals to all of them. Zeroed and
// set up by process_tree_init, freed by process_tree_done.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct thread_time;

struct process_tree {
    int root;               // not one of them
    int server[4], servers; // which work for them and for others
    int *pid;
    int count;
    bool crowded;      // there are more than we look at
    int64_t ended_us;  // used by those that were gone when we last looked
    int64_t used_us;   // by all
    int64_t looked_us; // when we last looked who they are
};

// All that descend from `root`; `first` is known to.
void process_tree_init(struct process_tree *tree, int root, int first);
// Processes of our user that work for them are known by how their names begin. Who waits for one
// waits for a core as it does, so its threads are counted in; it is not theirs in any other way.
void process_tree_find_servers(struct process_tree *tree, const char *name);
// CPU time used so far. Clocks are read; who belongs to it is looked up now and then.
int64_t process_tree_cpu_us(struct process_tree *tree);
void process_tree_look(struct process_tree *tree); // who they are now
// A signal to each of them. One that is started in this moment may be missed.
void process_tree_signal(struct process_tree *tree, int number);
// Their threads, `most` at most; how many there are in `list`. Not those that have made themselves
// less important than we are: they wait because they want to. The root's and the servers' are among
// them.
int process_tree_threads(struct process_tree *tree, struct thread_time *list, int most);
// Whether there are too many to be seen, or one of them does not want to know of its children's
// ends: what they use is lost then.
bool process_tree_hides(struct process_tree *tree);
bool process_tree_is_stopped(struct process_tree *tree); // all of them, by SIGSTOP
int64_t process_tree_memory(struct process_tree *tree); // bytes in use, what is shared counted once
int process_tree_nth(struct process_tree *tree,
                     int n); // from 0, in the order they were started; -1: none
void process_tree_done(struct process_tree *tree);
