// SPDX-License-Identifier: MIT
// The processes that have come of one: what they have used, and signals to all of them. Zeroed and
// set up by family_init, freed by family_done.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct family {
    int root; // not one of them
    int *pid;
    int count;
    int64_t ended_us;  // used by those that were gone when we last looked
    int64_t used_us;   // by all
    int64_t looked_us; // when we last looked who they are
};

// All that descend from `root`; `first` is known to.
void family_init(struct family *family, int root, int first);
// CPU time used so far. Clocks are read; who belongs to it is looked up now and then.
int64_t family_cpu_us(struct family *family);
// A signal to each of them. One that is started in this moment may be missed.
void family_signal(struct family *family, int number);
bool family_is_stopped(struct family *family); // all of them, by SIGSTOP
int64_t family_memory(struct family *family);  // bytes in use, what is shared counted once
int family_nth(struct family *family, int n);  // from 0, in the order they were started; -1: none
void family_done(struct family *family);
