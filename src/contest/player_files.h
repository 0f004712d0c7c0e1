// SPDX-License-Identifier: MIT
// Players' folders: packed into the store by their checksum, unpacked and built where games are
// played, once on every machine.
#pragma once

#include "base/buf.h"
#include "base/sha256.h"
#include "contest/plan/plan.h"
#include "store/store.h"
#include "submit/submit.h"

// A player's files on this machine.
struct player_files {
    const char *folder;  // NULL: he has none
    const char *trouble; // why he cannot be started, or NULL
    const char *start;   // the PLAYER that his files were found to be; NULL: as the plan says
};

// What is needed to make them ready.
struct player_files_means {
    const struct box *box;    // in which they are built; NULL: none
    const struct embed *kits; // kit_files, or NULL
    void (*note)(void *owner, const char *words);
    bool (*wait)(void *owner); // called again and again while a build goes on; false breaks it off
    void *owner;
};

typedef char digest_text[SHA256_HEX_MAX];

// By player the checksum of the folder that the store (NULL: there is none) has of him, or "";
// freed by the caller. NULL with an error.
digest_text *player_files_digests(const struct plan *plan, struct store *store, struct err *err);
// The bytes of such a folder (bundle.h).
bool player_files_read(struct store *store, const char *digest, struct buf *bytes, struct err *err);
// Whether the folders of a contest's players can be packed, before anything of it is in the store.
bool player_files_check(const struct plan *plan, struct store *store, struct err *err);
// Packs the folders of a contest's players, as seen from here, into its store. A folder that has
// changed since the contest began is an error; one that is not there any more is in the store.
bool player_files_keep(const struct plan *plan, struct store *store, struct err *err);
// Where the players' files are on this machine, by player; freed by player_files_free. What a
// player is to blame for is in his files.
struct player_files *player_files_make(const struct plan *plan, struct store *store,
                                       const struct player_files_means *means, struct err *err);
void player_files_free(struct player_files *files, int count);
