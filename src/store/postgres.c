// SPDX-License-Identifier: MIT
// PostgreSQL through libpq. Numbers and texts travel as text, bytes in binary.
#include "base/mem.h"
#include "store/database.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    INT8_OID = 20,
    BYTEA_OID = 17,
    NUMBER_TEXT_MAX = 24,
    TRIES = 300,
    OPEN_TRIES = 50,
    RETRIES = 5
};

struct database {
    PGconn *connection;
    bool cut; // the server has said that it leaves
};

static bool fail(const struct database *d, const char *action, struct err *err) {
    char words[300];
    snprintf(words, sizeof words, "%s", PQerrorMessage(d->connection));
    words[strcspn(words, "\n")] = '\0';
    const char *name = PQdb(d->connection), *host = PQhost(d->connection);
    return err_set(err, "the store %.60s at %.100s cannot %s: %s", name ? name : "",
                   host && *host ? host : "this machine", action, words);
}

static void close_database(struct database *d) {
    if (!d)
        return;
    PQfinish(d->connection);
    free(d);
}

static void ignore_notice(void *owner, const char *words) { (void)owner, (void)words; }

static bool is_lost(const struct database *d) {
    return d->cut || PQstatus(d->connection) != CONNECTION_OK;
}

static void rest(void) {
    const struct timespec pause = {.tv_nsec = 200 * 1000000L};
    nanosleep(&pause, NULL);
}

// A server that is just being restarted is waited for.
static bool may_come(const char *where) {
    const PGPing answer = PQping(where);
    return answer == PQPING_REJECT || answer == PQPING_NO_RESPONSE;
}

static struct database *open_database(const char *where, bool make, struct err *err) {
    (void)make; // its administrator has
    struct database *d = mem_new(1, sizeof *d);
    d->connection = PQconnectdb(where);
    for (int i = 0; i < OPEN_TRIES && is_lost(d) && may_come(where); i++) {
        rest();
        PQreset(d->connection);
    }
    if (PQstatus(d->connection) != CONNECTION_OK) {
        fail(d, "be reached", err);
        close_database(d);
        return NULL;
    }
    PQsetNoticeProcessor(d->connection, ignore_notice, NULL);
    return d;
}

static PGresult *execute(struct database *d, const char *sql, const struct value *values,
                         int count) {
    char numbers[COLUMNS_MAX][NUMBER_TEXT_MAX];
    const char *texts[COLUMNS_MAX];
    int lengths[COLUMNS_MAX], formats[COLUMNS_MAX];
    if (count == 0)
        return PQexec(d->connection, sql); // may be several statements
    for (int i = 0; i < count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "%" PRId64, values[i].number);
        texts[i] = values[i].text ? values[i].text : numbers[i];
        lengths[i] = (int)values[i].size;
        formats[i] = values[i].text && values[i].size > 0;
    }
    return PQexecParams(d->connection, sql, count, NULL, texts, lengths, formats, 0);
}

// Bytes are unescaped in place of their text; freed by the caller through `memory`.
static struct value read_value(const PGresult *result, int row, int column, void **memory) {
    struct value v = {.text = PQgetvalue(result, row, column)};
    if (PQftype(result, column) == INT8_OID) {
        v.number = strtoll(v.text, NULL, 10);
        v.text = NULL;
    } else if (PQftype(result, column) == BYTEA_OID) {
        *memory = PQunescapeBytea((const unsigned char *)v.text, &v.size);
        v.text = *memory;
    } else {
        v.size = (size_t)PQgetlength(result, row, column);
    }
    return v;
}

static void hand_over(const PGresult *result, void (*row)(void *owner, const struct value *columns),
                      void *owner) {
    const int rows = PQntuples(result), count = PQnfields(result);
    for (int i = 0; i < rows; i++) {
        struct value columns[COLUMNS_MAX];
        void *memory[COLUMNS_MAX] = {NULL};
        for (int k = 0; k < count && k < COLUMNS_MAX; k++)
            columns[k] = read_value(result, i, k, &memory[k]);
        row(owner, columns);
        for (int k = 0; k < count && k < COLUMNS_MAX; k++)
            if (memory[k])
                PQfreemem(memory[k]);
    }
}

static bool is_read_only(const struct database *d) {
    (void)d;
    return false;
}

// A server that is restarted is there again after a while. A statement that was lost outside of a
// transaction is run again: either it had not been done, or doing it twice does no harm.
static bool revive(struct database *d) {
    if (!is_lost(d))
        return false;
    for (int i = 0; i < TRIES && is_lost(d); i++) {
        rest();
        PQreset(d->connection);
        d->cut = false;
    }
    return !is_lost(d);
}

// Runs a statement and notes whether the server leaves: class 57P, operator intervention, or an
// error that no server has sent. The library may go on calling such a connection good.
static PGresult *attempt(struct database *d, const char *sql, const struct value *values,
                         int count) {
    PGresult *result = execute(d, sql, values, count);
    const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    d->cut |=
        PQresultStatus(result) == PGRES_FATAL_ERROR && (!code || strncmp(code, "57P", 3) == 0);
    return result;
}

static bool run(struct database *d, const char *sql, const struct value *values, int count,
                void (*row)(void *owner, const struct value *columns), void *owner,
                struct err *err) {
    const bool alone = PQtransactionStatus(d->connection) != PQTRANS_INTRANS;
    PGresult *result = attempt(d, sql, values, count);
    for (int i = 0; alone && i < RETRIES && revive(d); i++) { // it may go again
        PQclear(result);
        result = attempt(d, sql, values, count);
    }
    const ExecStatusType status = PQresultStatus(result);
    const bool good =
        status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || fail(d, "run a statement", err);
    if (good && row)
        hand_over(result, row, owner);
    PQclear(result);
    return good;
}

const struct back_end back_end_postgres = {
    .prefix = "postgres",
    .open = open_database,
    .close = close_database,
    .run = run,
    .is_read_only = is_read_only,
    .is_lost = is_lost,
    .revive = revive,
    .begin = "BEGIN",
    .alone = "SELECT pg_advisory_xact_lock(4207849484)", // "arbi"
    .now = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
    .skip_locked = " FOR UPDATE SKIP LOCKED",
};
