// SPDX-License-Identifier: MIT
// PostgreSQL through libpq. Numbers and texts travel as text, bytes in binary.
#include "base/mem.h"
#include "store/database.h"
#include "store/pq.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    INT8_OID = 20,
    BYTEA_OID = 17,
    NUMBER_TEXT_MAX = 24,
    TRIES = 300,
    SAY_TRIES = 50,
    TRIES_A_SECOND = 5,
    RETRIES = 5
};

struct database {
    PGconn *connection;
    bool cut; // the server has said that it leaves
};

static bool fail(const struct database *d, const char *action, struct err *err) {
    char words[300];
    snprintf(words, sizeof words, "%s", pq()->PQerrorMessage(d->connection));
    words[strcspn(words, "\n")] = '\0';
    const char *name = pq()->PQdb(d->connection), *host = pq()->PQhost(d->connection);
    return err_set(err, "the store %.60s at %.100s cannot %s: %s", name ? name : "",
                   host && *host ? host : "this machine", action, words);
}

static void postgres_close_database(struct database *d) {
    if (!d)
        return;
    pq()->PQfinish(d->connection);
    free(d);
}

static void ignore_notice(void *owner, const char *words) { (void)owner, (void)words; }

static bool postgres_is_lost(const struct database *d) {
    return d->cut || pq()->PQstatus(d->connection) != CONNECTION_OK;
}

static void rest(void) {
    const struct timespec pause = {.tv_nsec = 200 * 1000000L};
    nanosleep(&pause, NULL);
}

// A server that is just being restarted is waited for. One that is there and has refused us may
// have come only after that: it is asked once more.
static bool may_come(const char *where, bool *was_there) {
    const PGPing answer = pq()->PQping(where);
    const bool asked = *was_there;
    *was_there = answer == PQPING_OK;
    return answer == PQPING_REJECT || answer == PQPING_NO_RESPONSE ||
           (answer == PQPING_OK && !asked);
}

// At once, and now and then: why it is not there, and how long that is waited for.
static void say_waiting(const struct database *d, const struct store_ear *ear, int tries) {
    char why[200], words[400];
    if (!ear)
        return;
    snprintf(why, sizeof why, "%s", pq()->PQerrorMessage(d->connection));
    why[strcspn(why, "\n")] = '\0';
    snprintf(words, sizeof words, "waiting for the store, %d s of %d: %s", tries / TRIES_A_SECOND,
             TRIES / TRIES_A_SECOND, why);
    ear->note(ear->owner, words);
}

static struct database *postgres_open_database(const char *where, bool make,
                                               const struct store_ear *ear, struct err *err) {
    (void)make; // its administrator has
    if (!pq_load(err))
        return NULL;
    struct database *d = mem_new(1, sizeof *d);
    d->connection = pq()->PQconnectdb(where);
    bool there = false;
    for (int i = 0; i < TRIES && postgres_is_lost(d) && may_come(where, &there); i++) {
        if (i % SAY_TRIES == 0 && !there)
            say_waiting(d, ear, i);
        rest();
        pq()->PQreset(d->connection);
    }
    if (pq()->PQstatus(d->connection) != CONNECTION_OK) {
        fail(d, "be reached", err);
        postgres_close_database(d);
        return NULL;
    }
    pq()->PQsetNoticeProcessor(d->connection, ignore_notice, NULL);
    return d;
}

// It has checksums of its own, if its administrator wants them (initdb --data-checksums).
static const char *postgres_vouch(const struct database *d) {
    (void)d;
    return "whose pages are the server's to keep";
}

static PGresult *execute(struct database *d, const char *sql, const struct value *values,
                         int count) {
    char numbers[COLUMNS_MAX][NUMBER_TEXT_MAX];
    const char *texts[COLUMNS_MAX];
    int lengths[COLUMNS_MAX], formats[COLUMNS_MAX];
    if (count == 0)
        return pq()->PQexec(d->connection, sql); // may be several statements
    for (int i = 0; i < count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "%" PRId64, values[i].number);
        texts[i] = values[i].text ? values[i].text : numbers[i];
        lengths[i] = (int)values[i].size;
        formats[i] = values[i].text && values[i].size > 0;
    }
    return pq()->PQexecParams(d->connection, sql, count, NULL, texts, lengths, formats, 0);
}

// Bytes are unescaped in place of their text; freed by the caller through `memory`.
static struct value read_value(const PGresult *result, int row, int column, void **memory) {
    struct value v = {.text = pq()->PQgetvalue(result, row, column)};
    if (pq()->PQftype(result, column) == INT8_OID) {
        v.number = strtoll(v.text, NULL, 10);
        v.text = NULL;
    } else if (pq()->PQftype(result, column) == BYTEA_OID) {
        *memory = pq()->PQunescapeBytea((const unsigned char *)v.text, &v.size);
        v.text = *memory;
    } else {
        v.size = (size_t)pq()->PQgetlength(result, row, column);
    }
    return v;
}

static void hand_over(const PGresult *result, struct rows to) {
    const int rows = pq()->PQntuples(result), count = pq()->PQnfields(result);
    for (int i = 0; i < rows; i++) {
        struct value columns[COLUMNS_MAX];
        void *memory[COLUMNS_MAX] = {NULL};
        for (int k = 0; k < count && k < COLUMNS_MAX; k++)
            columns[k] = read_value(result, i, k, &memory[k]);
        to.row(to.owner, columns);
        for (int k = 0; k < count && k < COLUMNS_MAX; k++)
            if (memory[k])
                pq()->PQfreemem(memory[k]);
    }
}

static bool postgres_is_read_only(const struct database *d) {
    (void)d;
    return false;
}

// A server that is restarted is there again after a while. A statement that was lost outside of a
// transaction is run again: either it had not been done, or doing it twice does no harm.
static bool postgres_revive(struct database *d) {
    if (!postgres_is_lost(d))
        return false;
    for (int i = 0; i < TRIES && postgres_is_lost(d); i++) {
        rest();
        pq()->PQreset(d->connection);
        d->cut = false;
    }
    return !postgres_is_lost(d);
}

// Runs a statement and notes whether the server leaves: class 57P, operator intervention, or an
// error that no server has sent. The library may go on calling such a connection good.
static PGresult *attempt(struct database *d, const char *sql, const struct value *values,
                         int count) {
    PGresult *result = execute(d, sql, values, count);
    const char *code = pq()->PQresultErrorField(result, PG_DIAG_SQLSTATE);
    d->cut |= pq()->PQresultStatus(result) == PGRES_FATAL_ERROR &&
              (!code || strncmp(code, "57P", 3) == 0);
    return result;
}

static bool postgres_run(struct database *d, const char *sql, const struct value *values, int count,
                         struct rows rows, struct err *err) {
    const bool alone = pq()->PQtransactionStatus(d->connection) != PQTRANS_INTRANS;
    PGresult *result = attempt(d, sql, values, count);
    for (int i = 0; alone && i < RETRIES && postgres_revive(d); i++) { // it may go again
        pq()->PQclear(result);
        result = attempt(d, sql, values, count);
    }
    const ExecStatusType status = pq()->PQresultStatus(result);
    const bool good =
        status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || fail(d, "run a statement", err);
    if (good && rows.row)
        hand_over(result, rows);
    pq()->PQclear(result);
    return good;
}

const struct back_end back_end_postgres = {
    .prefix = "postgres",
    .open = postgres_open_database,
    .close = postgres_close_database,
    .run = postgres_run,
    .is_read_only = postgres_is_read_only,
    .vouch = postgres_vouch,
    .is_lost = postgres_is_lost,
    .revive = postgres_revive,
    .begin = "BEGIN",
    .alone = "SELECT pg_advisory_xact_lock(4207849484)", // "arbi"
    .now = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
    .skip_locked = " FOR UPDATE SKIP LOCKED",
};
