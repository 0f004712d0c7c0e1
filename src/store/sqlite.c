// SPDX-License-Identifier: MIT
// One file with a write-ahead log. `synchronous` is FULL: what was committed is on the disk when
// the statement returns, whatever happens to the machine.
#include "base/mem.h"
#include "store/database.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { WAIT_MS = 60000 }; // for another process that writes

struct database {
    sqlite3 *handle;
};

static bool fail(const struct database *d, const char *action, struct err *err) {
    return err_set(err, "the store cannot %s: %s", action, sqlite3_errmsg(d->handle));
}

static void close_database(struct database *d) {
    if (!d)
        return;
    sqlite3_close(d->handle);
    free(d);
}

static bool bind(sqlite3_stmt *statement, const struct value *values, int count) {
    for (int i = 0; i < count; i++) {
        const char name[] = {'$', (char)(i < 9 ? '1' + i : '1'), (char)(i < 9 ? 0 : '0' + (i - 9)),
                             0};
        const int at = sqlite3_bind_parameter_index(statement, name);
        const struct value *v = &values[i];
        const int code = !v->text ? sqlite3_bind_int64(statement, at, v->number)
                         : v->size
                             ? sqlite3_bind_blob64(statement, at, v->text, v->size, SQLITE_STATIC)
                             : sqlite3_bind_text(statement, at, v->text, -1, SQLITE_STATIC);
        if (code != SQLITE_OK)
            return false;
    }
    return true;
}

static void read_row(sqlite3_stmt *statement, struct value *columns) {
    const int count = sqlite3_column_count(statement);
    for (int i = 0; i < count && i < COLUMNS_MAX; i++) {
        columns[i] = (struct value){.text = NULL};
        if (sqlite3_column_type(statement, i) == SQLITE_INTEGER) {
            columns[i].number = sqlite3_column_int64(statement, i);
        } else {
            columns[i].text = sqlite3_column_blob(statement, i);
            columns[i].size = (size_t)sqlite3_column_bytes(statement, i);
            if (sqlite3_column_type(statement, i) == SQLITE_TEXT)
                columns[i].text = (const char *)sqlite3_column_text(statement, i);
            if (!columns[i].text)
                columns[i].text = "";
        }
    }
}

static bool step_all(struct database *d, sqlite3_stmt *statement,
                     void (*row)(void *owner, const struct value *columns), void *owner,
                     struct err *err) {
    struct value columns[COLUMNS_MAX];
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        read_row(statement, columns);
        if (row)
            row(owner, columns);
    }
    return code == SQLITE_DONE || fail(d, "run a statement", err);
}

static bool run(struct database *d, const char *sql, const struct value *values, int count,
                void (*row)(void *owner, const struct value *columns), void *owner,
                struct err *err) {
    bool good = true;
    while (good && sql[strspn(sql, " \n")]) {
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v2(d->handle, sql, -1, &statement, &sql) != SQLITE_OK)
            return fail(d, "prepare a statement", err);
        if (!statement) // a comment
            continue;
        good = bind(statement, values, count) || fail(d, "bind values", err);
        good = good && step_all(d, statement, row, owner, err);
        sqlite3_finalize(statement);
    }
    return good;
}

static struct database *open_database(const char *where, struct err *err) {
    struct database *d = mem_new(1, sizeof *d);
    if (sqlite3_open(where, &d->handle) != SQLITE_OK) {
        err_set(err, "cannot open the store %.200s: %s", where, sqlite3_errmsg(d->handle));
        close_database(d);
        return NULL;
    }
    sqlite3_busy_timeout(d->handle, WAIT_MS);
    if (!run(d, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;",
             NULL, 0, NULL, NULL, err)) {
        close_database(d);
        return NULL;
    }
    return d;
}

static bool is_lost(const struct database *d) {
    (void)d; // a file is not
    return false;
}

static bool revive(struct database *d) {
    (void)d;
    return false;
}

const struct back_end back_end_sqlite = {
    .prefix = "",
    .open = open_database,
    .close = close_database,
    .run = run,
    .is_lost = is_lost,
    .revive = revive,
    .begin = "BEGIN IMMEDIATE",
    .alone = "SELECT 1",
    .relax = "PRAGMA synchronous = NORMAL",
    .insist = "PRAGMA synchronous = FULL",
    .now = "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000",
    .skip_locked = "",
};
