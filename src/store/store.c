// SPDX-License-Identifier: MIT
// The questions, in SQL that both back ends understand. A statement that must not be done by halves
// stands alone, or between begin and commit.
#include "store/store.h"

#include "base/embed.h"
#include "base/mem.h"
#include "store/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQL_MAX = 1024 };

struct store {
    const struct back_end *back_end;
    struct database *database;
};

static const char *const state_words[] = {
#define GAME_STATE_WORD(id, word) word,
    GAME_STATES(GAME_STATE_WORD)
#undef GAME_STATE_WORD
};

#define TEXT(words)                                                                                \
    { .text = (words) }
#define NUMBER(n)                                                                                  \
    { .number = (n) }
#define COUNT(values) (int)(sizeof(values) / sizeof *(values))

static bool run(struct store *s, const char *sql, const struct value *values, int count,
                void (*row)(void *owner, const struct value *columns), void *owner,
                struct err *err) {
    return s->back_end->run(s->database, sql, values, count, row, owner, err);
}

static bool command(struct store *s, const char *sql, struct err *err) {
    return run(s, sql, NULL, 0, NULL, NULL, err);
}

// Ends a transaction: what it did stands if all went well.
static bool settle(struct store *s, bool good, struct err *err) {
    struct err unused = {.set = false};
    if (good && command(s, "COMMIT", err))
        return true;
    command(s, "ROLLBACK", &unused);
    return false;
}

static void take_number(void *owner, const struct value *columns) {
    *(int64_t *)owner = columns[0].number;
}

// Schemas are numbered files; the database says which it has.
static bool migrate(struct store *s, struct err *err) {
    int64_t version = 0;
    bool good =
        command(s, s->back_end->begin, err) &&
        command(s, "CREATE TABLE IF NOT EXISTS version (number BIGINT NOT NULL)", err) &&
        run(s, "SELECT COALESCE(MAX(number), 0) FROM version", NULL, 0, take_number, &version, err);
    for (const struct embed *file = store_schema; good && file->path; file++) {
        const int64_t number = strtoll(file->path, NULL, 10);
        const struct value values[] = {NUMBER(number)};
        if (number <= version)
            continue;
        good = command(s, file->bytes, err) &&
               run(s, "INSERT INTO version (number) VALUES ($1)", values, 1, NULL, NULL, err);
    }
    return settle(s, good, err);
}

struct store *store_open(const char *where, struct err *err) {
    static const struct back_end *const back_ends[] = {&back_end_postgres, &back_end_sqlite};
    struct store *s = mem_new(1, sizeof *s);
    int i = 0;
    while (strncmp(where, back_ends[i]->prefix, strlen(back_ends[i]->prefix)) != 0)
        i++;
    s->back_end = back_ends[i];
    s->database = s->back_end->open(where, err);
    if (s->database && migrate(s, err))
        return s;
    store_close(s);
    return NULL;
}

void store_close(struct store *s) {
    if (!s)
        return;
    if (s->database)
        s->back_end->close(s->database);
    free(s);
}

struct comparison {
    const char *text;
    bool same;
};

static void compare_text(void *owner, const struct value *columns) {
    struct comparison *c = owner;
    c->same = strcmp(columns[0].text, c->text) == 0;
}

bool store_begin(struct store *s, const char *contest, const char *text, bool *same,
                 struct err *err) {
    const struct value values[] = {TEXT(contest), TEXT(text)};
    struct comparison c = {.text = text};
    const bool good =
        run(s, "INSERT INTO contest (name, text) VALUES ($1, $2) ON CONFLICT DO NOTHING", values, 2,
            NULL, NULL, err) &&
        run(s, "SELECT text FROM contest WHERE name = $1", values, 1, compare_text, &c, err);
    *same = c.same;
    return good;
}

static bool add_game(struct store *s, const char *contest, const struct stored_game *g,
                     struct err *err) {
    const struct value values[] = {TEXT(contest),    NUMBER(g->stage), NUMBER(g->round),
                                   NUMBER(g->table), NUMBER(g->leg),   NUMBER(g->attempt),
                                   NUMBER(g->black), NUMBER(g->white)};
    return run(s,
               "INSERT INTO game (contest, number, stage, round, seat, leg, attempt, black, white,"
               " state) SELECT $1, COALESCE(MAX(number), 0) + 1, CAST($2 AS BIGINT),"
               " CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT),"
               " CAST($7 AS BIGINT), CAST($8 AS BIGINT), 'waiting' FROM game WHERE contest = $1 ON "
               "CONFLICT DO NOTHING",
               values, COUNT(values), NULL, NULL, err);
}

bool store_add(struct store *s, const char *contest, const struct stored_game *games, int count,
               struct err *err) {
    // Whoever adds holds the contest's row, so that two do not think of the same number.
    char lock[SQL_MAX];
    const struct value name[] = {TEXT(contest)};
    snprintf(lock, sizeof lock, "SELECT 1 FROM contest WHERE name = $1%s",
             *s->back_end->skip_locked ? " FOR UPDATE" : "");
    bool good = command(s, s->back_end->begin, err) && run(s, lock, name, 1, NULL, NULL, err);
    for (int i = 0; good && i < count; i++)
        good = add_game(s, contest, &games[i], err);
    return settle(s, good, err);
}

#define GAME_COLUMNS                                                                               \
    "number, stage, round, seat, leg, attempt, black, white, state, tries, winner, score_black,"   \
    " score_white, plies, reason, verdict, worker"

struct hand_over {
    void (*each)(void *owner, const struct stored_game *game);
    void *owner;
    bool with_record;
    int count;
};

static void hand_over_game(void *owner, const struct value *c) {
    struct hand_over *h = owner;
    struct stored_game g = {
        .number = c[0].number,
        .stage = (int)c[1].number,
        .round = (int)c[2].number,
        .table = (int)c[3].number,
        .leg = (int)c[4].number,
        .attempt = (int)c[5].number,
        .black = (int)c[6].number,
        .white = (int)c[7].number,
        .tries = (int)c[9].number,
        .winner = (int)c[10].number,
        .scores = {(int)c[11].number, (int)c[12].number},
        .plies = (int)c[13].number,
        .reason = c[14].text,
        .verdict = c[15].text,
        .worker = c[16].text,
        .record = h->with_record ? c[17].text : "",
    };
    while (g.state < GAME_ANNULLED && strcmp(state_words[g.state], c[8].text) != 0)
        g.state++;
    h->count++;
    h->each(h->owner, &g);
}

bool store_claim(struct store *s, const char *contest, const char *worker, int64_t now_us,
                 int64_t until_us, void (*taken)(void *owner, const struct stored_game *game),
                 void *owner, struct err *err) {
    const struct value values[] = {TEXT(contest), TEXT(worker), NUMBER(until_us), NUMBER(now_us)};
    struct hand_over h = {.each = taken, .owner = owner};
    char sql[SQL_MAX];
    snprintf(sql, sizeof sql,
             "UPDATE game SET state = 'playing', worker = $2, until_us = $3, tries = tries + 1"
             " WHERE contest = $1 AND number = (SELECT number FROM game WHERE contest = $1 AND"
             " (state = 'waiting' OR (state = 'playing' AND until_us < $4))"
             " ORDER BY number LIMIT 1%s) RETURNING " GAME_COLUMNS,
             s->back_end->skip_locked);
    return run(s, sql, values, COUNT(values), hand_over_game, &h, err);
}

static void note_row(void *owner, const struct value *columns) {
    (void)columns;
    *(bool *)owner = true;
}

bool store_renew(struct store *s, const char *contest, int64_t number, const char *worker,
                 int64_t until_us, bool *ours, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number), TEXT(worker), NUMBER(until_us)};
    *ours = false;
    return run(s,
               "UPDATE game SET until_us = $4 WHERE contest = $1 AND number = $2 AND worker = $3"
               " AND state = 'playing' RETURNING number",
               values, COUNT(values), note_row, ours, err);
}

bool store_finish(struct store *s, const char *contest, const struct stored_game *g, bool *ours,
                  struct err *err) {
    const struct value values[] = {TEXT(contest),     NUMBER(g->number),    TEXT(g->worker),
                                   NUMBER(g->winner), NUMBER(g->scores[0]), NUMBER(g->scores[1]),
                                   NUMBER(g->plies),  TEXT(g->reason),      TEXT(g->verdict),
                                   TEXT(g->record),   NUMBER(g->tries)};
    *ours = false;
    return run(s,
               "UPDATE game SET state = 'done', winner = $4, score_black = $5, score_white = $6,"
               " plies = $7, reason = $8, verdict = $9, record = $10 WHERE contest = $1 AND"
               " number = $2 AND worker = $3 AND tries = $11 AND state = 'playing'"
               " RETURNING number",
               values, COUNT(values), note_row, ours, err);
}

bool store_games(struct store *s, const char *contest, bool with_records,
                 void (*each)(void *owner, const struct stored_game *game), void *owner,
                 struct err *err) {
    const struct value values[] = {TEXT(contest)};
    struct hand_over h = {.each = each, .owner = owner, .with_record = with_records};
    return run(s,
               with_records
                   ? "SELECT " GAME_COLUMNS ", record FROM game WHERE contest = $1 ORDER BY number"
                   : "SELECT " GAME_COLUMNS " FROM game WHERE contest = $1 ORDER BY number",
               values, 1, hand_over_game, &h, err);
}

static bool keep_decision(struct store *s, const char *contest, const struct decision *d,
                          struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(d->at_us), TEXT(d->kind), TEXT(d->subject),
                                   TEXT(d->why)};
    return run(s,
               "INSERT INTO decision (contest, number, at_us, kind, subject, why) SELECT $1,"
               " COALESCE(MAX(number), 0) + 1, CAST($2 AS BIGINT), $3, $4, $5 FROM decision WHERE "
               "contest = $1",
               values, COUNT(values), NULL, NULL, err);
}

bool store_decide(struct store *s, const char *contest, const struct decision *decision,
                  struct err *err) {
    const bool good =
        command(s, s->back_end->begin, err) && keep_decision(s, contest, decision, err);
    return settle(s, good, err);
}

bool store_annul(struct store *s, const char *contest, int64_t number, bool again,
                 const struct decision *decision, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number)};
    bool known = false;
    bool good = command(s, s->back_end->begin, err) &&
                run(s,
                    "UPDATE game SET state = 'annulled' WHERE contest = $1 AND number = $2 AND"
                    " state = 'done' RETURNING number",
                    values, 2, note_row, &known, err);
    if (good && !known)
        good = err_set(err, "game %lld is not one that has been played", (long long)number);
    if (good && again)
        good = run(s,
                   "INSERT INTO game (contest, number, stage, round, seat, leg, attempt, black,"
                   " white, state) SELECT contest, (SELECT MAX(number) + 1 FROM game WHERE"
                   " contest = $1), stage, round, seat, leg, attempt + 1, black, white, 'waiting'"
                   " FROM game WHERE contest = $1 AND number = $2",
                   values, 2, NULL, NULL, err);
    good = good && keep_decision(s, contest, decision, err);
    return settle(s, good, err);
}

struct decision_hand_over {
    void (*each)(void *owner, const struct decision *decision);
    void *owner;
};

static void hand_over_decision(void *owner, const struct value *c) {
    const struct decision_hand_over *h = owner;
    h->each(h->owner,
            &(struct decision){
                .at_us = c[0].number, .kind = c[1].text, .subject = c[2].text, .why = c[3].text});
}

bool store_decisions(struct store *s, const char *contest,
                     void (*each)(void *owner, const struct decision *decision), void *owner,
                     struct err *err) {
    const struct value values[] = {TEXT(contest)};
    struct decision_hand_over h = {each, owner};
    return run(s,
               "SELECT at_us, kind, subject, why FROM decision WHERE contest = $1 ORDER BY number",
               values, 1, hand_over_decision, &h, err);
}

bool store_put_file(struct store *s, const char *digest, const void *bytes, size_t size,
                    struct err *err) {
    const struct value values[] = {TEXT(digest), {.text = bytes, .size = size}};
    if (size == 0)
        return err_set(err, "an empty file cannot be kept");
    return run(s, "INSERT INTO file (digest, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING", values,
               2, NULL, NULL, err);
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
    return run(s, "SELECT bytes FROM file WHERE digest = $1", values, 1, hand_over_file, &h, err);
}

bool store_note_worker(struct store *s, const char *worker, int64_t speed, int64_t now_us,
                       struct err *err) {
    const struct value values[] = {TEXT(worker), NUMBER(speed), NUMBER(now_us)};
    return run(s,
               "INSERT INTO worker (name, speed, seen_us) VALUES ($1, $2, $3)"
               " ON CONFLICT (name) DO UPDATE SET speed = $2, seen_us = $3",
               values, COUNT(values), NULL, NULL, err);
}
