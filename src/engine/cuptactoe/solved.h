// SPDX-License-Identifier: MIT
// The solved game as a file: a header, and the values of all slots, a byte each. It is mapped, not
// loaded: the system reads the pages that are asked for, and players share them.
// A file is complete or not there: it gets its name when all of it is written.
#pragma once

#include "base/err.h"
#include "engine/cuptactoe/atlas.h"

enum { SOLVED_PATH_MAX = 4096 };

struct solved {
    const int8_t *values; // of all slots; NULL: there is no table
    uint64_t sum;         // as the header says
    void *memory;
};

// Where the table is when nobody says otherwise: in arbiter/ of $XDG_DATA_HOME or ~/.local/share.
// False if there is no such folder to be had.
bool solved_path(char path[static SOLVED_PATH_MAX]);
// Maps a table, and looks at the header and the length alone.
bool solved_open(struct solved *solved, const char *path, struct err *err);
void solved_close(struct solved *solved);
// Does the file begin as a table does, whole or not?
bool solved_is_table(const char *path);
// A sum over all values, to be compared with that in the header.
uint64_t solved_sum(const int8_t *values);

// A table to be written. Its place is made sure of before the work, and what is not ended leaves no
// file behind, not even if the program is killed, where the file system knows files without a name.
struct solved_part {
    int file;
    bool is_named;
    char path[SOLVED_PATH_MAX], name[SOLVED_PATH_MAX + 8]; // of the table, and until it is complete
};

// Makes missing folders too. What is there already must be a table, and is replaced at the end.
bool solved_begin(struct solved_part *part, const char *path, struct err *err);
// One of these ends it.
bool solved_end(struct solved_part *part, const int8_t *values, struct err *err);
void solved_abandon(struct solved_part *part);
