// SPDX-License-Identifier: MIT
// The questions about games and decisions.
#include "store/statement.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SQL_MAX = 1024, BATCH = 200 };

static const char *const state_words[] = {
#define GAME_STATE_WORD(id, word) word,
    GAME_STATES(GAME_STATE_WORD)
#undef GAME_STATE_WORD
};

const char *stored_state_word(enum stored_state state) { return state_words[state]; }

// Adds games that have one home, in one statement, from this number on.
static bool add_batch(struct store *s, const char *contest, const struct stored_game *games,
                      int count, int64_t number, struct err *err) {
    const struct value values[] = {TEXT(contest), TEXT(games[0].home)};
    struct buf sql = {.data = NULL};
    buf_text(&sql, "INSERT INTO game (contest, number, stage, round, seat, leg, attempt, black,"
                   " white, blocks, home, state) VALUES ");
    for (int i = 0; i < count; i++) {
        const struct stored_game *g = &games[i];
        buf_format(&sql, "%s($1, %" PRId64 ", %d, %d, %d, %d, %d, %d, %d, %d, $2, 'waiting')",
                   i ? ", " : "", number + i, g->stage, g->round, g->table, g->leg, g->attempt,
                   g->black, g->white, g->blocks);
    }
    buf_text(&sql, " ON CONFLICT DO NOTHING");
    const bool good = statement_run(s, sql.data, values, COUNT(values), no_rows, err);
    buf_done(&sql);
    return good;
}

static bool add_all(struct store *s, const char *contest, const struct stored_game *games,
                    int count, struct err *err) {
    const struct value name[] = {TEXT(contest)};
    int64_t last = 0;
    bool good = statement_run(s, "SELECT COALESCE(MAX(number), 0) FROM game WHERE contest = $1",
                              name, 1, (struct rows){statement_take_number, &last}, err);
    for (int i = 0, n; good && i < count; i += n) {
        for (n = 1; n < BATCH && i + n < count; n++)
            if (strcmp(games[i + n].home, games[i].home) != 0)
                break;
        good = add_batch(s, contest, games + i, n, last + 1 + i, err);
    }
    return good;
}

// Holds the contest's row until the end of the transaction: whoever adds or decides is alone.
static bool begin_alone(struct store *s, const char *contest, struct err *err) {
    char lock[SQL_MAX];
    const struct value name[] = {TEXT(contest)};
    snprintf(lock, sizeof lock, "SELECT 1 FROM contest WHERE name = $1%s",
             *s->back_end->skip_locked ? " FOR UPDATE" : "");
    return statement_command(s, s->back_end->begin, err) &&
           statement_run(s, lock, name, 1, no_rows, err);
}

int64_t store_decision_count(struct store *s, const char *contest, struct err *err) {
    const struct value name[] = {TEXT(contest)};
    int64_t count = -1;
    statement_run(s, "SELECT COUNT(*) FROM decision WHERE contest = $1", name, 1,
                  (struct rows){statement_take_number, &count}, err);
    return count;
}

static bool add_games(struct store *s, const char *contest, const struct stored_game *games,
                      int count, int decisions, struct err *err) {
    const struct value name[] = {TEXT(contest)};
    int64_t known = 0;
    bool good = begin_alone(s, contest, err) &&
                statement_run(s, "SELECT COUNT(*) FROM decision WHERE contest = $1", name, 1,
                              (struct rows){statement_take_number, &known}, err);
    if (good && known == decisions)
        good = add_all(s, contest, games, count, err);
    return statement_settle(s, good && !err->set, err);
}

bool store_add(struct store *s, const char *contest, const struct stored_game *games, int count,
               int decisions, struct err *err) {
    struct err first = {.set = false};
    bool good = add_games(s, contest, games, count, decisions, &first);
    // The server may have gone in the middle; what is known already is passed over.
    while (!good && s->back_end->revive(s->database)) {
        first.set = false;
        good = add_games(s, contest, games, count, decisions, &first);
    }
    return good || err_set(err, "%s", first.text);
}

#define GAME_COLUMNS                                                                               \
    "number, stage, round, seat, leg, attempt, black, white, state, tries, winner, score_black,"   \
    " score_white, plies, reason, verdict, worker, blocks, home, speed, ended_us"

struct hand_over {
    void (*each)(void *owner, const struct stored_game *game);
    void *owner;
    bool with_record;
    int count;
};

static enum stored_state read_state(const char *word) {
    enum stored_state state = 0;
    while (state < GAME_ANNULLED && strcmp(state_words[state], word) != 0)
        state++;
    return state;
}

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
        .blocks = (int)c[17].number,
        .home = c[18].text,
        .speed = c[19].number,
        .ended_us = c[20].number,
        .record = h->with_record ? c[21].text : "",
    };
    g.state = read_state(c[8].text);
    h->count++;
    h->each(h->owner, &g);
}

// A claim that a power cut undoes does no harm: the game waits again, and nobody plays it.
static bool run_relaxed(struct store *s, const char *sql, const struct value *values, int count,
                        struct rows rows, struct err *err) {
    const struct back_end *b = s->back_end;
    if (!b->relax)
        return statement_run(s, sql, values, count, rows, err);
    const bool good =
        statement_command(s, b->relax, err) && statement_run(s, sql, values, count, rows, err);
    return statement_command(s, b->insist, err) && good;
}

// That the state is one of two follows from what comes after it; but said so it is the condition of
// the index game_open, without which all games that are done would be passed over one by one.
bool store_claim(struct store *s, const char *contest, const struct worker_claim *c,
                 void (*taken)(void *owner, const struct stored_game *game), void *owner,
                 struct err *err) {
    const struct value values[] = {TEXT(contest), TEXT(c->worker), NUMBER(c->until_us),
                                   NUMBER(c->now_us), TEXT(c->home)};
    struct hand_over h = {.each = taken, .owner = owner};
    char sql[SQL_MAX];
    snprintf(sql, sizeof sql,
             "UPDATE game SET state = 'playing', worker = $2, until_us = $3, tries = tries + 1"
             " WHERE contest = $1 AND number = (SELECT number FROM game WHERE contest = $1 AND"
             " state IN ('waiting', 'playing') AND (state = 'waiting' OR until_us < $4) AND"
             " home IN ('', $5) ORDER BY number LIMIT 1%s) RETURNING " GAME_COLUMNS,
             s->back_end->skip_locked);
    return run_relaxed(s, sql, values, COUNT(values), (struct rows){hand_over_game, &h}, err);
}

static void note_row(void *owner, const struct value *columns) {
    (void)columns;
    *(bool *)owner = true;
}

bool store_renew(struct store *s, const char *contest, int64_t number, const struct worker_claim *c,
                 bool *ours, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number), TEXT(c->worker),
                                   NUMBER(c->until_us)};
    *ours = false;
    return statement_run(
        s,
        "UPDATE game SET until_us = $4 WHERE contest = $1 AND number = $2 AND worker = $3"
        " AND state = 'playing' RETURNING number",
        values, COUNT(values), (struct rows){note_row, ours}, err);
}

// Counts a game that is done with those that ended alike, or not any more: `sign` is 1 or -1.
static bool tally(struct store *s, const char *contest, int64_t number, int sign, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number), NUMBER(sign)};
    return statement_run(
        s,
        "INSERT INTO tally (contest, stage, black, white, winner, reason, verdict, score_black,"
        " score_white, games) SELECT contest, stage, black, white, winner, reason, verdict,"
        " CAST($3 AS BIGINT) * score_black, CAST($3 AS BIGINT) * score_white, CAST($3 AS BIGINT)"
        " FROM game WHERE contest = $1 AND number = $2"
        " ON CONFLICT (contest, stage, black, white, winner, reason, verdict) DO UPDATE SET"
        " score_black = tally.score_black + excluded.score_black,"
        " score_white = tally.score_white + excluded.score_white,"
        " games = tally.games + excluded.games",
        values, COUNT(values), no_rows, err);
}

// What there is to read of a game.
static bool put_texts(struct store *s, const char *contest, const struct stored_game *g,
                      struct err *err) {
    const struct value record[] = {TEXT(contest), NUMBER(g->number), TEXT(g->record)};
    const struct value log[] = {TEXT(contest), NUMBER(g->number), TEXT(g->log ? g->log : "")};
    return (!*g->record ||
            statement_run(s, "INSERT INTO record (contest, number, text) VALUES ($1, $2, $3)",
                          record, COUNT(record), no_rows, err)) &&
           (!g->log ||
            statement_run(s, "INSERT INTO game_log (contest, number, text) VALUES ($1, $2, $3)",
                          log, COUNT(log), no_rows, err));
}

// A text of a game, if there is one.
static bool find_text(struct store *s, const char *sql, const char *contest, int64_t number,
                      struct text_hand_over h, struct err *err) {
    const struct value names[] = {TEXT(contest), NUMBER(number)};
    return statement_run(s, sql, names, COUNT(names), (struct rows){statement_hand_over_text, &h},
                         err);
}

bool store_record(struct store *s, const char *contest, int64_t number,
                  void (*found)(void *owner, const char *text), void *owner, struct err *err) {
    return find_text(s, "SELECT text FROM record WHERE contest = $1 AND number = $2", contest,
                     number, (struct text_hand_over){found, owner}, err);
}

bool store_log(struct store *s, const char *contest, int64_t number,
               void (*found)(void *owner, const char *text), void *owner, struct err *err) {
    return find_text(s, "SELECT text FROM game_log WHERE contest = $1 AND number = $2", contest,
                     number, (struct text_hand_over){found, owner}, err);
}

static bool finish(struct store *s, const char *contest, const struct stored_game *g, bool *ours,
                   struct err *err) {
    const struct value values[] = {TEXT(contest),     NUMBER(g->number),    TEXT(g->worker),
                                   NUMBER(g->winner), NUMBER(g->scores[0]), NUMBER(g->scores[1]),
                                   NUMBER(g->plies),  TEXT(g->reason),      TEXT(g->verdict),
                                   NUMBER(g->tries),  NUMBER(g->speed),     NUMBER(g->ended_us)};
    *ours = false;
    bool good =
        statement_command(s, s->back_end->begin, err) &&
        statement_run(
            s,
            "UPDATE game SET state = 'done', winner = $4, score_black = $5, score_white = $6,"
            " plies = $7, reason = $8, verdict = $9, speed = $11, ended_us = $12 WHERE contest = "
            "$1 AND"
            " number = $2 AND worker = $3 AND tries = $10 AND state = 'playing'"
            " RETURNING number",
            values, COUNT(values), (struct rows){note_row, ours}, err);
    if (good && *ours)
        good = tally(s, contest, g->number, 1, err);
    if (good && *ours)
        good = put_texts(s, contest, g, err);
    return statement_settle(s, good, err);
}

bool store_finish(struct store *s, const char *contest, const struct stored_game *game, bool *ours,
                  struct err *err) {
    struct err first = {.set = false};
    bool good = finish(s, contest, game, ours, &first);
    // If it was kept before the server went, it is not ours any more: as good as kept now.
    while (!good && s->back_end->revive(s->database)) {
        first.set = false;
        good = finish(s, contest, game, ours, &first);
    }
    return good || err_set(err, "%s", first.text);
}

// The same game once more, waiting.
static bool add_attempt(struct store *s, const char *contest, int64_t number, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number)};
    return statement_run(
        s,
        "INSERT INTO game (contest, number, stage, round, seat, leg, attempt, black,"
        " white, blocks, home, state) SELECT contest, (SELECT MAX(number) + 1 FROM game WHERE"
        " contest = $1), stage, round, seat, leg, attempt + 1, black, white, blocks, home, "
        "'waiting'"
        " FROM game WHERE contest = $1 AND number = $2",
        values, 2, no_rows, err);
}

// How often a game and the attempts at it before were broken off.
static bool count_broken_off(struct store *s, const char *contest, int64_t number, int64_t *count,
                             struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number)};
    return statement_run(
        s,
        "SELECT COUNT(*) FROM game AS this JOIN game AS other ON other.contest = this.contest AND"
        " other.stage = this.stage AND other.round = this.round AND other.seat = this.seat AND"
        " other.leg = this.leg AND other.reason = 'platform' WHERE this.contest = $1 AND"
        " this.number = $2",
        values, COUNT(values), (struct rows){statement_take_number, count}, err);
}

static bool break_off(struct store *s, const char *contest, const struct stored_game *g, int most,
                      enum broken_off *how, struct err *err) {
    const struct value values[] = {TEXT(contest),    NUMBER(g->number), TEXT(g->worker),
                                   NUMBER(g->plies), TEXT(g->reason),   TEXT(g->verdict),
                                   NUMBER(g->tries), NUMBER(g->speed),  NUMBER(g->ended_us)};
    int64_t before = 0;
    bool ours = false;
    bool good =
        begin_alone(s, contest, err) &&
        statement_run(
            s,
            "UPDATE game SET state = 'annulled', winner = -1, plies = $4, reason = $5,"
            " verdict = $6, speed = $8, ended_us = $9 WHERE contest = $1 AND number = $2 AND"
            " worker = $3 AND tries = $7 AND state = 'playing' RETURNING number",
            values, COUNT(values), (struct rows){note_row, &ours}, err) &&
        count_broken_off(s, contest, g->number, &before, err);
    if (good && ours)
        good = put_texts(s, contest, g, err);
    *how = !ours ? BROKEN_OFF_NOT_OURS : before <= most ? BROKEN_OFF_AGAIN : BROKEN_OFF_FOR_GOOD;
    if (good && *how == BROKEN_OFF_AGAIN)
        good = add_attempt(s, contest, g->number, err);
    return statement_settle(s, good, err);
}

bool store_break_off(struct store *s, const char *contest, const struct stored_game *game, int most,
                     enum broken_off *how, struct err *err) {
    struct err first = {.set = false};
    bool good = break_off(s, contest, game, most, how, &first);
    while (!good && s->back_end->revive(s->database)) {
        first.set = false;
        good = break_off(s, contest, game, most, how, &first);
    }
    return good || err_set(err, "%s", first.text);
}

bool store_release(struct store *s, const char *contest, int64_t number, const char *worker,
                   struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number), TEXT(worker)};
    return statement_run(s,
                         "UPDATE game SET state = 'waiting' WHERE contest = $1 AND number = $2 AND"
                         " worker = $3 AND state = 'playing'",
                         values, COUNT(values), no_rows, err);
}

bool store_release_all(struct store *s, const char *contest, const char *worker, struct err *err) {
    const struct value values[] = {TEXT(contest), TEXT(worker)};
    return statement_run(s,
                         "UPDATE game SET state = 'waiting' WHERE contest = $1 AND worker = $2 AND"
                         " state = 'playing'",
                         values, COUNT(values), no_rows, err);
}

static bool award(struct store *s, const char *contest, int64_t number, int winner,
                  const char *verdict, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number), NUMBER(winner), TEXT(verdict)};
    bool known = false;
    bool good = statement_command(s, s->back_end->begin, err) &&
                statement_run(
                    s,
                    "UPDATE game SET state = 'done', winner = $3, reason = 'walkover', verdict = $4"
                    " WHERE contest = $1 AND number = $2 AND state = 'waiting' RETURNING number",
                    values, COUNT(values), (struct rows){note_row, &known}, err);
    if (good && known)
        good = tally(s, contest, number, 1, err);
    return statement_settle(s, good, err);
}

bool store_award(struct store *s, const char *contest, int64_t number, int winner,
                 const char *verdict, struct err *err) {
    struct err first = {.set = false};
    bool good = award(s, contest, number, winner, verdict, &first);
    while (!good && s->back_end->revive(s->database)) {
        first.set = false;
        good = award(s, contest, number, winner, verdict, &first);
    }
    return good || err_set(err, "%s", first.text);
}

static void take_count(void *owner, const struct value *columns) {
    int64_t *counts = owner;
    counts[read_state(columns[0].text)] = columns[1].number;
}

bool store_count(struct store *s, const char *contest, int64_t counts[static GAME_STATE_COUNT],
                 struct err *err) {
    const struct value values[] = {TEXT(contest)};
    memset(counts, 0, GAME_STATE_COUNT * sizeof *counts);
    return statement_run(s,
                         "SELECT state, COUNT(*) FROM game WHERE contest = $1 AND state IN"
                         " ('waiting', 'playing', 'annulled') GROUP BY state",
                         values, 1, (struct rows){take_count, counts}, err);
}

bool store_workers(struct store *s, const char *contest,
                   void (*each)(void *owner, const char *worker), void *owner, struct err *err) {
    const struct value values[] = {TEXT(contest)};
    struct text_hand_over h = {each, owner};
    return statement_run(
        s, "SELECT DISTINCT worker FROM game WHERE contest = $1 AND state = 'playing'", values, 1,
        (struct rows){statement_hand_over_text, &h}, err);
}

struct result_hand_over {
    void (*each)(void *owner, const struct stored_game *sum, int64_t count);
    void *owner;
};

static void hand_over_result(void *owner, const struct value *c) {
    const struct result_hand_over *h = owner;
    const struct stored_game sum = {
        .black = (int)c[0].number,
        .white = (int)c[1].number,
        .winner = (int)c[2].number,
        .reason = c[3].text,
        .verdict = c[4].text,
        .scores = {(int)c[5].number, (int)c[6].number},
        .state = GAME_DONE,
        .blocks = -1,
        .home = "",
        .worker = "",
        .record = "",
    };
    h->each(h->owner, &sum, c[7].number);
}

bool store_results(struct store *s, const char *contest, int stage,
                   void (*each)(void *owner, const struct stored_game *sum, int64_t count),
                   void *owner, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(stage)};
    struct result_hand_over h = {each, owner};
    return statement_run(
        s,
        "SELECT black, white, winner, reason, verdict, score_black, score_white, games FROM tally"
        " WHERE contest = $1 AND stage = $2 AND games > 0"
        " ORDER BY black, white, winner, reason, verdict",
        values, COUNT(values), (struct rows){hand_over_result, &h}, err);
}

bool store_games(struct store *s, const char *contest, bool with_records,
                 void (*each)(void *owner, const struct stored_game *game), void *owner,
                 struct err *err) {
    const struct value values[] = {TEXT(contest)};
    struct hand_over h = {.each = each, .owner = owner, .with_record = with_records};
    return statement_run(
        s,
        with_records ? "SELECT " GAME_COLUMNS ", COALESCE((SELECT text FROM record WHERE"
                       " record.contest = game.contest AND record.number = game.number), '')"
                       " FROM game WHERE contest = $1 ORDER BY number"
                     : "SELECT " GAME_COLUMNS " FROM game WHERE contest = $1 ORDER BY number",
        values, 1, (struct rows){hand_over_game, &h}, err);
}

static bool keep_decision(struct store *s, const char *contest, const struct decision *d,
                          struct err *err) {
    const struct value values[] = {TEXT(contest),    NUMBER(d->at_us), TEXT(d->kind),
                                   TEXT(d->subject), TEXT(d->why),     TEXT(d->by ? d->by : "")};
    return statement_run(
        s,
        "INSERT INTO decision (contest, number, at_us, kind, subject, why, by_whom, stage, round)"
        " SELECT $1, (SELECT COALESCE(MAX(number), 0) + 1 FROM decision WHERE contest = $1),"
        " CAST($2 AS BIGINT), $3, $4, $5, $6,"
        " (SELECT COALESCE(MAX(stage), 0) FROM game WHERE contest = $1),"
        " (SELECT COALESCE(MAX(round), -1) + 1 FROM game WHERE contest = $1 AND stage ="
        " (SELECT MAX(stage) FROM game WHERE contest = $1))",
        values, COUNT(values), no_rows, err);
}

bool store_decide(struct store *s, const char *contest, const struct decision *decision,
                  struct err *err) {
    const bool good = begin_alone(s, contest, err) && keep_decision(s, contest, decision, err);
    return statement_settle(s, good, err);
}

struct annulling {
    char state[16];
    int64_t later; // the number of a later attempt at the same leg, or 0
};

static void take_annulling(void *owner, const struct value *c) {
    struct annulling *a = owner;
    snprintf(a->state, sizeof a->state, "%s", c[0].text);
    a->later = c[1].number;
}

// Why a game cannot be annulled, if so.
static bool may_annul(struct store *s, const char *contest, int64_t number, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number)};
    struct annulling a = {.state = ""};
    if (!statement_run(s,
                       "SELECT state, COALESCE((SELECT MAX(number) FROM game AS more WHERE"
                       " more.contest = game.contest AND more.stage = game.stage AND more.round ="
                       " game.round AND more.seat = game.seat AND more.leg = game.leg AND"
                       " more.attempt > game.attempt), 0) FROM game WHERE contest = $1 AND"
                       " number = $2",
                       values, 2, (struct rows){take_annulling, &a}, err))
        return false;
    const long long n = (long long)number;
    if (strcmp(a.state, state_words[GAME_ANNULLED]) == 0)
        return err_set(err, "game %lld is annulled already%s", n,
                       a.later ? ", and was set back" : "");
    if (strcmp(a.state, state_words[GAME_DONE]) != 0)
        return err_set(err, "game %lld %s", n,
                       *a.state ? "has not been played yet" : "is not one of this contest");
    return a.later == 0 || err_set(err,
                                   "game %lld was drawn and has been repeated as game %lld: it is "
                                   "that one that counts",
                                   n, (long long)a.later);
}

bool store_annul(struct store *s, const char *contest, int64_t number, bool again,
                 const struct decision *decision, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number)};
    bool good =
        begin_alone(s, contest, err) && may_annul(s, contest, number, err) &&
        tally(s, contest, number, -1, err) &&
        statement_run(s, "UPDATE game SET state = 'annulled' WHERE contest = $1 AND number = $2",
                      values, 2, no_rows, err);
    if (good && again)
        good = add_attempt(s, contest, number, err);
    good = good && keep_decision(s, contest, decision, err);
    return statement_settle(s, good, err);
}

// Takes away the attempt after a game, if it only waits; an error if it has been begun.
static bool drop_later(struct store *s, const char *contest, int64_t number, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number)};
    int64_t left = 0;
#define LATER                                                                                      \
    " FROM game WHERE contest = $1 AND attempt > (SELECT attempt FROM game WHERE contest = $1"     \
    " AND number = $2) AND (stage, round, seat, leg) = (SELECT stage, round, seat, leg FROM game"  \
    " WHERE contest = $1 AND number = $2)"
    if (!statement_run(s, "DELETE" LATER " AND state = 'waiting' AND tries = 0", values, 2, no_rows,
                       err) ||
        !statement_run(s, "SELECT COALESCE(MAX(number), 0)" LATER, values, 2,
                       (struct rows){statement_take_number, &left}, err))
        return false;
#undef LATER
    return left == 0 || err_set(err, "game %lld is being played again as game %lld, or has been",
                                (long long)number, (long long)left);
}

bool store_restore(struct store *s, const char *contest, int64_t number,
                   const struct decision *decision, struct err *err) {
    const struct value values[] = {TEXT(contest), NUMBER(number)};
    bool was = false;
    bool good =
        begin_alone(s, contest, err) &&
        statement_run(s,
                      "UPDATE game SET state = 'done' WHERE contest = $1 AND number = $2 AND"
                      " state = 'annulled' AND reason <> 'platform' RETURNING number",
                      values, 2, (struct rows){note_row, &was}, err) &&
        (was || err_set(err, "game %lld was not annulled by the organiser", (long long)number)) &&
        drop_later(s, contest, number, err) && tally(s, contest, number, 1, err) &&
        keep_decision(s, contest, decision, err);
    return statement_settle(s, good, err);
}

static void take_first(void *owner, const struct value *columns) {
    int64_t *first = owner;
    *first = *first ? *first : columns[0].number;
}

// Games that wait again have nothing of what they were awarded.
static bool set_back_awarded(struct store *s, const char *contest, int player, struct err *err) {
    const struct value who[] = {TEXT(contest), NUMBER(player)};
    for (;;) {
        int64_t number = 0;
        if (!statement_run(s,
                           "SELECT number FROM game WHERE contest = $1 AND (black = $2 OR white ="
                           " $2) AND state = 'done' AND reason = 'walkover' ORDER BY number LIMIT"
                           " 1",
                           who, 2, (struct rows){take_first, &number}, err))
            return false;
        if (number == 0)
            return true;
        const struct value values[] = {TEXT(contest), NUMBER(number)};
        if (!tally(s, contest, number, -1, err) ||
            !statement_run(s,
                           "UPDATE game SET state = 'waiting', winner = 0, reason = '', verdict ="
                           " '' WHERE contest = $1 AND number = $2",
                           values, 2, no_rows, err))
            return false;
    }
}

bool store_readmit(struct store *s, const char *contest, int player,
                   const struct decision *decision, struct err *err) {
    const bool good = begin_alone(s, contest, err) && set_back_awarded(s, contest, player, err) &&
                      keep_decision(s, contest, decision, err);
    return statement_settle(s, good, err);
}

struct decision_hand_over {
    void (*each)(void *owner, const struct decision *decision);
    void *owner;
};

static void hand_over_decision(void *owner, const struct value *c) {
    const struct decision_hand_over *h = owner;
    h->each(h->owner, &(struct decision){.at_us = c[0].number,
                                         .kind = c[1].text,
                                         .subject = c[2].text,
                                         .why = c[3].text,
                                         .stage = (int)c[4].number,
                                         .round = (int)c[5].number,
                                         .by = c[6].text});
}

bool store_decisions(struct store *s, const char *contest,
                     void (*each)(void *owner, const struct decision *decision), void *owner,
                     struct err *err) {
    const struct value values[] = {TEXT(contest)};
    struct decision_hand_over h = {each, owner};
    return statement_run(
        s,
        "SELECT at_us, kind, subject, why, stage, round, by_whom FROM decision WHERE contest = $1"
        " ORDER BY number",
        values, 1, (struct rows){hand_over_decision, &h}, err);
}
