// SPDX-License-Identifier: MIT
// Whether a store fits together. What its games themselves say is the contest's to judge.
#include "store/statement.h"

#include "base/buf.h"
#include "base/sha256.h"

#include <inttypes.h>
#include <string.h>

static void put(struct buf *findings, const char *words) {
    buf_format(findings, "%s%s", findings->length ? "\n" : "", words);
}

// Each counts what must not be.
static const struct {
    const char *sql, *words;
} rules[] = {
    {"SELECT COUNT(*) FROM game WHERE state NOT IN ('waiting', 'playing', 'done', 'annulled')",
     "games in a state that is none"},
    {"SELECT COUNT(*) FROM game WHERE state = 'done' AND reason <> 'walkover' AND NOT EXISTS"
     " (SELECT 1 FROM record WHERE record.contest = game.contest AND record.number = game.number)",
     "games that are over and have no record"},
    {"SELECT COUNT(*) FROM record WHERE NOT EXISTS (SELECT 1 FROM game WHERE"
     " record.contest = game.contest AND record.number = game.number)",
     "records of games that are not there"},
#define COUNTED                                                                                    \
    "SELECT contest, stage, black, white, winner, reason, verdict,"                                \
    " CAST(SUM(score_black) AS BIGINT), CAST(SUM(score_white) AS BIGINT), COUNT(*) FROM game"      \
    " WHERE state = 'done' GROUP BY contest, stage, black, white, winner, reason, verdict"
#define KEPT                                                                                       \
    "SELECT contest, stage, black, white, winner, reason, verdict, score_black, score_white,"      \
    " games FROM tally WHERE games <> 0"
    {"SELECT COUNT(*) FROM (" COUNTED " EXCEPT " KEPT ") AS more",
     "results of games that the table does not count"},
    {"SELECT COUNT(*) FROM (" KEPT " EXCEPT " COUNTED ") AS more",
     "results that the table counts and no games have"},
};

static bool check_games(struct store *s, struct buf *findings, struct err *err) {
    bool good = true;
    for (size_t i = 0; good && i < sizeof rules / sizeof *rules; i++) {
        int64_t count = 0;
        good = statement_run(s, rules[i].sql, NULL, 0, (struct rows){statement_take_number, &count},
                             err);
        if (good && count > 0) {
            put(findings, "");
            buf_format(findings, "%s: %lld", rules[i].words, (long long)count);
        }
    }
    return good;
}

static void check_file(void *owner, const struct value *c) {
    struct buf *findings = owner;
    char digest[SHA256_HEX_MAX];
    sha256_hex(c[1].text, c[1].size, digest);
    if (strcmp(digest, c[0].text) == 0)
        return;
    put(findings, "");
    buf_format(findings, "a player's folder is not what its checksum says: %.16s...", c[0].text);
}

bool store_check(struct store *s, struct buf *findings, struct err *err) {
    struct buf parts = {.data = NULL};
    bool good =
        !s->back_end->look_through || s->back_end->look_through(s->database, true, &parts, err);
    if (good && parts.length > 0)
        put(findings, parts.data);
    buf_done(&parts);
    return good && check_games(s, findings, err) &&
           statement_run(s, "SELECT digest, bytes FROM file", NULL, 0,
                         (struct rows){check_file, findings}, err);
}
