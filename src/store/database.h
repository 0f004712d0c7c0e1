// SPDX-License-Identifier: MIT
// What a back end is, inside this folder: it runs statements of the SQL that SQLite and PostgreSQL
// share, with parameters written $1, $2, ...
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COLUMNS_MAX = 24 };

struct value {
    const char *text; // text or bytes; NULL: a number
    size_t size;      // of bytes; 0: a text ended by NUL
    int64_t number;
};

// Who hears of the rows of a statement; a `row` of NULL: nobody.
struct rows {
    void (*row)(void *owner, const struct value *columns);
    void *owner;
};

static const struct rows no_rows = {.row = NULL};

struct database;
struct store_ear;

struct back_end {
    const char *prefix; // of the addresses it takes; "" takes all
    // `make`: what is not there is made. The ear (or NULL) hears of waiting.
    struct database *(*open)(const char *where, bool make, const struct store_ear *ear,
                             struct err *err);
    void (*close)(struct database *database);
    // Runs one statement, or several without parameters.
    bool (*run)(struct database *database, const char *sql, const struct value *values, int count,
                struct rows rows, struct err *err);
    bool (*is_read_only)(const struct database *database);
    // Who sees to it that what it hands over is as it was written, in words; NULL: nobody.
    const char *(*vouch)(const struct database *database);
    // Looks through all of it, or quickly, and adds what is wrong; NULL: it has no such look.
    bool (*look_through)(struct database *database, bool whole, struct buf *findings,
                         struct err *err);
    bool (*is_lost)(const struct database *database);
    // Reaches again what was lost; false if nothing was, or it does not come back.
    bool (*revive)(struct database *database);
    const char *begin;  // a transaction that will write
    const char *alone;  // a SELECT that waits until no other brings the schema up to date
    const char *relax;  // from now on a commit need not outlive a power cut; NULL: it always does
    const char *insist; // it must again
    const char *now;    // a SELECT of the time since 1970 in microseconds
    const char *skip_locked; // appended to the SELECT of a row that only one may get
};

extern const struct back_end back_end_sqlite;
extern const struct back_end back_end_postgres;
