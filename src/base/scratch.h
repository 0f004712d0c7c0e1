// SPDX-License-Identifier: MIT
// Folders that last no longer than the program that made them: players run there, submissions are
// built there.
#pragma once

#include "base/err.h"

#include <stdbool.h>

// As root players are users of their own: this number and that of a process.
enum { SCRATCH_USERS = 0x70000000 };

// Zeroed by its owner, freed by scratch_done or scratch_keep.
struct scratch {
    char *path; // NULL: there is none
    int lock;   // held as long as we live
};

// Makes a fresh folder below $TMPDIR, for us alone. The error says whom it was for.
bool scratch_make(struct scratch *scratch, const char *whom, struct err *err);
// Removes it with all that is in it.
void scratch_done(struct scratch *scratch);
// Leaves it for somebody to look into, in a folder that is made for such, or where it is if that
// lies on another disk, under another name: which is the caller's to free.
char *scratch_keep(struct scratch *scratch, const char *folder);
// Removes those that programs of ours left behind which were killed, and no other.
void scratch_sweep(void);
