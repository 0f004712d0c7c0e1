// SPDX-License-Identifier: MIT
// Which players of a contest have code in common, by the folders they began with. The kits' code
// counts for nobody.
#pragma once

#include "base/embed.h"
#include "contest/plan/plan.h"
#include "similar/pairs.h"
#include "store/store.h"

// What is to be known of a player: compared in part, hardly, or not at all.
struct likeness_remark {
    int player;
    char *text;
};

// Zeroed by its owner, freed by likeness_done.
struct likeness {
    struct submission *list; // named as the players
    int *players;            // whose they are
    int count;
    struct pairs pairs; // the most alike first; `a` and `b` are places in `list`
    int *group;         // by place: who hangs together through flagged pairs
    int flagged;        // so many of the pairs are flagged: they come first
    struct likeness_remark *remarks;
    int remark_count;
    void (*told)(int done,
                 int of); // set by its owner: so many players are read; NULL: nobody hears
};

// Compares them. `kits` is kit_files, or NULL. Folders that the store (NULL: there is none) does
// not have yet are seen from `base`.
bool likeness_find(struct likeness *likeness, const struct plan *plan, struct store *store,
                   const char *base, const struct embed *kits, struct err *err);
void likeness_done(struct likeness *likeness);
// The player of one side of a pair, 0 or 1.
const char *likeness_name(const struct likeness *likeness, const struct pair *pair, int side);
