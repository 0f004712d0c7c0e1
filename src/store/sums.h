// SPDX-License-Identifier: MIT
// Pages of SQLite with checksums, inside this folder: a VFS between SQLite and that of the system.
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

enum { SUMS_BYTES = 8, SUMS_NAME_MAX = 40 };

// One for every database that is opened; zeroed by its owner, and there until sums_done.
struct sums {
    sqlite3_vfs vfs; // that of the system but for how files are opened
    sqlite3_vfs *system;
    char name[SUMS_NAME_MAX]; // for sqlite3_open_v2
    bool on;                  // the file that was opened has them
    bool bare;                // and pages without were seen: another program has written them
    int64_t wrong;            // the page that is not as it was written, from 1; 0: none was seen
    bool recovered;           // we were the first to read the log that lies beside the file
};

bool sums_init(struct sums *sums);
// Gives an empty database pages with checksums; to be called before anything is written.
bool sums_begin(sqlite3 *handle);
void sums_done(struct sums *sums);
