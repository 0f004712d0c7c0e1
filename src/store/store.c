// SPDX-License-Identifier: MIT
// The questions, in SQL that both back ends understand. A statement that must not be done by halves
// stands alone, or between begin and commit.
#include "store/store.h"

#include "base/embed.h"
#include "base/mem.h"
#include "store/statement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool statement_run(struct store *s, const char *sql, const struct value *values, int count,
                   struct rows rows, struct err *err) {
    return s->back_end->run(s->database, sql, values, count, rows, err);
}

bool statement_command(struct store *s, const char *sql, struct err *err) {
    return statement_run(s, sql, NULL, 0, no_rows, err);
}

bool statement_settle(struct store *s, bool good, struct err *err) {
    struct err unused = {.set = false};
    if (good && statement_command(s, "COMMIT", err))
        return true;
    if (!s->back_end->is_lost(s->database)) // else the server has rolled back
        statement_command(s, "ROLLBACK", &unused);
    return false;
}

void statement_take_number(void *owner, const struct value *columns) {
    *(int64_t *)owner = columns[0].number;
}

// Schemas are numbered files; the database says which it has.
static int64_t newest_version(void) {
    int64_t newest = 0;
    for (const struct embed *file = store_schema; file->path; file++)
        newest = strtoll(file->path, NULL, 10);
    return newest;
}

static bool migrate(struct store *s, struct err *err) {
    int64_t version = 0;
    const int64_t newest = newest_version();
    bool good =
        statement_command(s, s->back_end->begin, err) &&
        statement_command(s, s->back_end->alone, err) &&
        statement_command(s, "CREATE TABLE IF NOT EXISTS version (number BIGINT NOT NULL)", err) &&
        statement_run(s, "SELECT COALESCE(MAX(number), 0) FROM version", NULL, 0,
                      (struct rows){statement_take_number, &version}, err);
    for (const struct embed *file = store_schema; good && file->path; file++) {
        const int64_t number = strtoll(file->path, NULL, 10);
        const struct value values[] = {NUMBER(number)};
        if (number <= version)
            continue;
        good =
            statement_command(s, file->bytes, err) &&
            statement_run(s, "INSERT INTO version (number) VALUES ($1)", values, 1, no_rows, err);
    }
    if (good && version > newest)
        good = err_set(
            err,
            "the store is of version %lld, and this program knows versions up to %lld: use a newer "
            "program",
            (long long)version, (long long)newest);
    return statement_settle(s, good, err);
}

// Whether it is of the version that this program knows, which it mostly is: nothing is locked then.
static bool is_current(struct store *s, struct err *err) {
    int64_t version = 0;
    return statement_run(s, "SELECT COALESCE(MAX(number), 0) FROM version", NULL, 0,
                         (struct rows){statement_take_number, &version}, err) &&
           version == newest_version();
}

static bool prepare(struct store *s, struct err *err) {
    struct err unknown = {.set = false};
    if (is_current(s, &unknown))
        return true;
    if (!s->back_end->is_read_only(s->database))
        return migrate(s, err);
    return err_set(err, "%s",
                   unknown.set ? unknown.text
                               : "the store is of another version and cannot be written to");
}

struct store *store_reach(const char *where, bool make, const struct store_ear *ear,
                          struct err *err) {
    static const struct back_end *const back_ends[] = {&back_end_postgres, &back_end_sqlite};
    int i = 0;
    while (strncmp(where, back_ends[i]->prefix, strlen(back_ends[i]->prefix)) != 0)
        i++;
    if (back_ends[i] == &back_end_sqlite && strstr(where, "://")) {
        err_set(err, "no store is reached by %s: it is a file of SQLite, or postgresql://...",
                where);
        return NULL;
    }
    struct store *s = mem_new(1, sizeof *s);
    s->back_end = back_ends[i];
    s->database = s->back_end->open(where, make, ear, err);
    struct err first = {.set = false};
    bool good = s->database && prepare(s, &first);
    while (s->database && !good && s->back_end->revive(s->database)) {
        first.set = false;
        good = prepare(s, &first);
    }
    if (good)
        return s;
    err_set(err, "%s", first.text);
    store_close(s);
    return NULL;
}

struct store *store_open(const char *where, struct err *err) {
    return store_reach(where, true, NULL, err);
}

void store_close(struct store *s) {
    if (!s)
        return;
    if (s->database)
        s->back_end->close(s->database);
    free(s);
}

const char *store_vouch(const struct store *s) { return s->back_end->vouch(s->database); }

struct comparison {
    const char *text;
    bool same;
};

static void store_compare_text(void *owner, const struct value *columns) {
    struct comparison *c = owner;
    c->same = strcmp(columns[0].text, c->text) == 0;
}

bool store_begin(struct store *s, const char *contest, const char *text, bool *same,
                 struct err *err) {
    const struct value values[] = {TEXT(contest), TEXT(text)};
    struct comparison c = {.text = text};
    const bool good =
        statement_run(s, "INSERT INTO contest (name, text) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                      values, 2, no_rows, err) &&
        statement_run(s, "SELECT text FROM contest WHERE name = $1", values, 1,
                      (struct rows){store_compare_text, &c}, err);
    *same = c.same;
    return good;
}

void statement_hand_over_text(void *owner, const struct value *columns) {
    const struct text_hand_over *h = owner;
    h->each(h->owner, columns[0].text);
}

bool store_text(struct store *s, const char *contest, void (*found)(void *owner, const char *text),
                void *owner, struct err *err) {
    const struct value values[] = {TEXT(contest)};
    struct text_hand_over h = {found, owner};
    return statement_run(s, "SELECT text FROM contest WHERE name = $1", values, 1,
                         (struct rows){statement_hand_over_text, &h}, err);
}

bool store_contests(struct store *s, void (*each)(void *owner, const char *contest), void *owner,
                    struct err *err) {
    struct text_hand_over h = {each, owner};
    return statement_run(s, "SELECT name FROM contest ORDER BY name", NULL, 0,
                         (struct rows){statement_hand_over_text, &h}, err);
}

bool store_now(struct store *s, int64_t *now_us, struct err *err) {
    return statement_run(s, s->back_end->now, NULL, 0, (struct rows){statement_take_number, now_us},
                         err);
}

bool store_put_file(struct store *s, const char *digest, const void *bytes, size_t size,
                    struct err *err) {
    const struct value values[] = {TEXT(digest), {.text = bytes, .size = size}};
    if (size == 0)
        return err_set(err, "an empty file cannot be kept");
    return statement_run(s,
                         "INSERT INTO file (digest, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                         values, 2, no_rows, err);
}

struct file_hand_over {
    void (*found)(void *owner, const void *bytes, size_t size);
    void *owner;
};

static void hand_over_file(void *owner, const struct value *c) {
    const struct file_hand_over *h = owner;
    h->found(h->owner, c[0].text, c[0].size);
}

bool store_get_file(struct store *s, const char *digest,
                    void (*found)(void *owner, const void *bytes, size_t size), void *owner,
                    struct err *err) {
    const struct value values[] = {TEXT(digest)};
    struct file_hand_over h = {found, owner};
    return statement_run(s, "SELECT bytes FROM file WHERE digest = $1", values, 1,
                         (struct rows){hand_over_file, &h}, err);
}

bool store_put_folder(struct store *s, const char *contest, int player, const char *digest,
                      bool *same, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(player), TEXT(digest)};
    struct comparison c = {.text = digest};
    const bool good =
        statement_run(s,
                      "INSERT INTO folder (contest, player, digest) VALUES ($1, $2, $3)"
                      " ON CONFLICT DO NOTHING",
                      values, 3, no_rows, err) &&
        statement_run(s, "SELECT digest FROM folder WHERE contest = $1 AND player = $2", values, 2,
                      (struct rows){store_compare_text, &c}, err);
    *same = c.same;
    return good;
}

struct folder_hand_over {
    void (*each)(void *owner, int player, const char *digest);
    void *owner;
};

static void hand_over_folder(void *owner, const struct value *c) {
    const struct folder_hand_over *h = owner;
    h->each(h->owner, (int)c[0].number, c[1].text);
}

bool store_folders(struct store *s, const char *contest,
                   void (*each)(void *owner, int player, const char *digest), void *owner,
                   struct err *err) {
    const struct value values[] = {TEXT(contest)};
    struct folder_hand_over h = {each, owner};
    return statement_run(s, "SELECT player, digest FROM folder WHERE contest = $1 ORDER BY player",
                         values, 1, (struct rows){hand_over_folder, &h}, err);
}

bool store_note_worker(struct store *s, const char *worker, int64_t speed, int64_t now_us,
                       struct err *err) {
    const struct value values[] = {TEXT(worker), NUMBER(speed), NUMBER(now_us)};
    return statement_run(s,
                         "INSERT INTO worker (name, speed, seen_us) VALUES ($1, $2, $3)"
                         " ON CONFLICT (name) DO UPDATE SET speed = $2, seen_us = $3",
                         values, COUNT(values), no_rows, err);
}
