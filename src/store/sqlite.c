// SPDX-License-Identifier: MIT
// One file with a write-ahead log. `synchronous` is FULL: what was committed is on the disk when
// the statement returns, whatever happens to the machine. Its pages have checksums (sums.h). A log
// that lies beside it, and that nobody has open but us, was left by a crash: then the whole file is
// looked through before it is used.
#include "base/buf.h"
#include "base/mem.h"
#include "store/database.h"
#include "store/sums.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    WAIT_MS = 60000, // for another process that writes
    PAUSE_MS = 20,
    READY_MAX = 16,
};

struct database {
    sqlite3 *handle;
    char *path;
    struct sums sums;
    sqlite3_stmt *ready[READY_MAX]; // statements with values, as they were used last
    int next;                       // which of them gives way
};

static bool fail(const struct database *d, const char *action, struct err *err) {
    if (d->sums.wrong > 0)
        return err_set(
            err,
            "the store %.200s is damaged: page %lld is not as it was written. The disk or a "
            "copy has changed it, or another program; use a copy that is good",
            d->path, (long long)d->sums.wrong);
    return err_set(err, "cannot %s the store %.200s: %s", action, d->path,
                   sqlite3_errmsg(d->handle));
}

static void sqlite_close_database(struct database *d) {
    if (!d)
        return;
    for (int i = 0; i < READY_MAX; i++)
        sqlite3_finalize(d->ready[i]);
    sqlite3_close(d->handle);
    sums_done(&d->sums);
    free(d->path);
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

static bool step_all(struct database *d, sqlite3_stmt *statement, struct rows rows,
                     struct err *err) {
    struct value columns[COLUMNS_MAX];
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        read_row(statement, columns);
        if (rows.row)
            rows.row(rows.owner, columns);
    }
    return code == SQLITE_DONE ||
           fail(d, sqlite3_stmt_readonly(statement) ? "read" : "write to", err);
}

// A statement made ready, now or earlier: to do that takes longer than most take to run. NULL, if
// it cannot be or is being run just now.
static sqlite3_stmt *make_ready(struct database *d, const char *sql) {
    sqlite3_stmt *statement = NULL;
    for (int i = 0; i < READY_MAX; i++)
        if (d->ready[i] && strcmp(sqlite3_sql(d->ready[i]), sql) == 0)
            return sqlite3_stmt_busy(d->ready[i]) ? NULL : d->ready[i];
    if (sqlite3_stmt_busy(d->ready[d->next]) ||
        sqlite3_prepare_v3(d->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) !=
            SQLITE_OK)
        return NULL;
    sqlite3_finalize(d->ready[d->next]);
    d->ready[d->next] = statement;
    d->next = (d->next + 1) % READY_MAX;
    return statement;
}

static bool run_ready(struct database *d, sqlite3_stmt *statement, const struct value *values,
                      int count, struct rows rows, struct err *err) {
    const bool good = (bind(statement, values, count) || fail(d, "use", err)) &&
                      step_all(d, statement, rows, err);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return good;
}

static bool sqlite_run(struct database *d, const char *sql, const struct value *values, int count,
                       struct rows rows, struct err *err) {
    sqlite3_stmt *ready = count > 0 ? make_ready(d, sql) : NULL;
    if (ready)
        return run_ready(d, ready, values, count, rows, err);
    bool good = true;
    while (good && sql[strspn(sql, " \n")]) {
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v2(d->handle, sql, -1, &statement, &sql) != SQLITE_OK)
            return fail(d, "read", err);
        if (!statement) // a comment
            continue;
        good = run_ready(d, statement, values, count, rows, err);
        sqlite3_finalize(statement);
    }
    return good;
}

static bool sqlite_is_read_only(const struct database *d) {
    return sqlite3_db_readonly(d->handle, "main") == 1;
}

// A file in a folder where nobody may write, and that nobody writes to: it needs no log beside it.
static bool open_still(struct database *d) {
    struct buf uri = {.data = NULL}, log = {.data = NULL};
    struct stat info;
    buf_format(&log, "%s-wal", d->path);
    buf_text(&uri, "file:");
    for (const char *c = d->path; *c; c++)
        buf_format(&uri, strchr("?#%", *c) ? "%%%02x" : "%c", (unsigned char)*c);
    buf_text(&uri, "?immutable=1");
    const bool still = stat(log.data, &info) != 0 || info.st_size == 0;
    if (still)
        sqlite3_close(d->handle);
    const bool good =
        still && sqlite3_open_v2(uri.data, &d->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                                 d->sums.name) == SQLITE_OK;
    buf_done(&uri);
    buf_done(&log);
    return good;
}

// To begin its log SQLite does not wait for others who have just opened the file.
static bool set_pragmas(struct database *d, struct err *err) {
    static const char pragmas[] =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    for (int i = 0;; i++) {
        struct err now = {.set = false};
        if (sqlite_run(d, pragmas, NULL, 0, no_rows, &now))
            return true;
        if (sqlite3_errcode(d->handle) != SQLITE_BUSY || i >= WAIT_MS / PAUSE_MS)
            return err_set(err, "%s", now.text);
        nanosleep(&pause, NULL);
    }
}

static bool set_up(struct database *d, struct err *err) {
    struct err first = {.set = false};
    if (set_pragmas(d, &first) &&
        sqlite_run(d, "SELECT 1 FROM sqlite_master", NULL, 0, no_rows, &first))
        return true;
    return (sqlite_is_read_only(d) && open_still(d) &&
            sqlite_run(d, "SELECT 1 FROM sqlite_master", NULL, 0, no_rows, err)) ||
           err_set(err, "%s", first.text);
}

static void take_finding(void *owner, const struct value *columns) {
    struct buf *words = owner;
    if (strcmp(columns[0].text, "ok") != 0)
        buf_format(words, "%s%s", words->length ? "; " : "", columns[0].text);
}

static bool sqlite_look_through(struct database *d, bool whole, struct buf *findings,
                                struct err *err) {
    return sqlite_run(d, whole ? "PRAGMA integrity_check(20)" : "PRAGMA quick_check(1)", NULL, 0,
                      (struct rows){take_finding, findings}, err);
}

// Only who may make a store begins a file that is empty: for all others there is none yet.
static bool begin(struct database *d, bool fresh, struct err *err) {
    sqlite3_busy_timeout(d->handle, WAIT_MS);
    return !fresh || sums_begin(d->handle) || fail(d, "begin", err);
}

// Whether a log lies beside the file.
static bool has_log(const char *where) {
    struct buf log = {.data = NULL};
    struct stat info;
    buf_format(&log, "%s-wal", where);
    const bool has = stat(log.data, &info) == 0 && info.st_size > 0;
    buf_done(&log);
    return has;
}

static bool check_after_crash(struct database *d, struct err *err) {
    struct buf findings = {.data = NULL};
    bool good = sqlite_look_through(d, false, &findings, err);
    if (good && findings.length > 0)
        good = err_set(err,
                       "the store %.200s is damaged since the program or the machine has crashed: "
                       "%.200s; use a copy that is good",
                       d->path, findings.data);
    buf_done(&findings);
    return good;
}

static bool is_empty(const char *where) {
    struct stat info;
    return stat(where, &info) != 0 || info.st_size == 0;
}

static struct database *sqlite_open_database(const char *where, bool make,
                                             const struct store_ear *ear, struct err *err) {
    struct database *d = mem_new(1, sizeof *d);
    const int flags = SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0);
    (void)ear; // nobody is waited for
    d->path = mem_text(where);
    const bool fresh = is_empty(where), left = has_log(where);
    if (fresh && !make)
        err_set(err, "there is no store %.200s", where);
    else if (!sums_init(&d->sums))
        err_set(err, "SQLite does not work here");
    else if (sqlite3_open_v2(where, &d->handle, flags, d->sums.name) != SQLITE_OK)
        fail(d, "open", err);
    else if (begin(d, fresh, err) && set_up(d, err) &&
             (!left || !d->sums.recovered || check_after_crash(d, err)))
        return d;
    sqlite_close_database(d);
    return NULL;
}

static const char *sqlite_vouch(const struct database *d) {
    return !d->sums.on    ? NULL
           : d->sums.bare ? "some pages without a checksum, brought in by another program"
                          : "every page with its checksum";
}

static bool sqlite_is_lost(const struct database *d) {
    (void)d; // a file is not
    return false;
}

static bool sqlite_revive(struct database *d) {
    (void)d;
    return false;
}

const struct back_end back_end_sqlite = {
    .prefix = "",
    .open = sqlite_open_database,
    .close = sqlite_close_database,
    .run = sqlite_run,
    .is_read_only = sqlite_is_read_only,
    .vouch = sqlite_vouch,
    .look_through = sqlite_look_through,
    .is_lost = sqlite_is_lost,
    .revive = sqlite_revive,
    .begin = "BEGIN IMMEDIATE",
    .alone = "SELECT 1",
    .relax = "PRAGMA synchronous = NORMAL",
    .insist = "PRAGMA synchronous = FULL",
    .now = "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000",
    .skip_locked = "",
};
