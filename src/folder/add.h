// SPDX-License-Identifier: MIT
// A folder that somebody wrote, made into a game that is known: taken apart into the files that a
// game consists of, built, asked for its facts, and put among the others whole or not at all.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/scratch.h"
#include "folder/folder.h"

// The files of a game, ended by NULL; nothing else of a folder is taken.
extern const char *const add_files[];

// A game on its way: zeroed by its owner, freed by add_done.
struct add {
    struct scratch scratch; // where it is made
    char name[32];
    struct buf said; // by the compiler
};

// Copies the folder and makes its module and facts. What the compiler says is in `said`.
bool add_make(struct add *add, const char *source, struct err *err);
// The same of a folder that comes from another machine: its module is taken as it is.
bool add_take(struct add *add, const char *source, struct err *err);
// Copies the files of a game into a folder that is made for them.
bool add_copy(const char *from, const char *to, struct err *err);
// Puts what was made among the games of DATA, in place of one of the same name.
bool add_keep(struct add *add, const char *data, struct err *err);
void add_done(struct add *add);
// Removes a game from DATA.
bool add_remove(const char *name, const char *data, struct err *err);
