// SPDX-License-Identifier: MIT
// Players' folders: packed into the store by their checksum, unpacked and built where games are
// played, once on every machine.
#pragma once

#include "contest/play.h"
#include "submit/submit.h"

// What is needed to make them ready.
struct lodging_means {
    const struct box *box;    // in which they are built; NULL: none
    const struct embed *kits; // kit_files, or NULL
    void (*note)(void *owner, const char *words);
    bool (*wait)(void *owner); // called again and again while a build goes on; false breaks it off
    void *owner;
};

// Whether the folders of a contest's players can be packed, before anything of it is in the store.
bool folder_check_all(const struct plan *plan, const char *base, struct store *store,
                      struct err *err);
// Packs the folders of a contest's players into its store; `base` is the folder their names are
// seen from. A folder that has changed since the contest began is an error; one that is not there
// any more is in the store.
bool folder_keep_all(const struct plan *plan, const char *base, struct store *store,
                     struct err *err);
// Where the players' files are on this machine, by player; freed by folder_leave_all. What a player
// is to blame for is in his lodging.
struct lodging *folder_lodge_all(const struct plan *plan, struct store *store,
                                 const struct lodging_means *means, struct err *err);
void folder_leave_all(struct lodging *lodgings, int count);
