// SPDX-License-Identifier: MIT
// What is remembered of contests and games: SQLite in a file, or PostgreSQL where workers sit on
// several machines. One function per question; every change is one transaction, kept when it
// returns true. A server that is gone is waited for, up to a minute. Texts handed to a callback are
// valid until it returns; what a function takes it copies.
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

// Who is told what an opening waits for.
struct store_ear {
    void (*note)(void *owner, const char *words);
    void *owner;
};

#define GAME_STATES(X)                                                                             \
    X(WAITING, "waiting")                                                                          \
    X(PLAYING, "playing")                                                                          \
    X(DONE, "done")                                                                                \
    X(ANNULLED, "annulled")

enum stored_state {
#define GAME_STATE_CONSTANT(id, word) GAME_##id,
    GAME_STATES(GAME_STATE_CONSTANT)
#undef GAME_STATE_CONSTANT
        GAME_STATE_COUNT
};

const char *stored_state_word(enum stored_state state);

// A game of a contest. Stage, round, table, leg and attempt name it for good; the number is the
// order in which games were thought of.
struct stored_game {
    int64_t number;
    int stage, round, table; // the meeting
    int leg, attempt;        // the game of the meeting, and which try at it
    int black, white;        // places in the field
    int blocks;              // blocked cells it shall have; -1: as the contest says
    const char *home;        // the judge who alone can play it, or "" for anybody
    enum stored_state state;
    int tries;  // how often it was begun
    int winner; // 1 or 2, 0 drawn, -1 nobody; once it is done
    int scores[2];
    int plies;
    const char *reason, *verdict; // words, or ""
    const char *worker;           // who plays or has played it, or ""
    int64_t speed;                // of his machine, when he has
    int64_t ended_us;             // when it was over, since 1970; 0: it is not, or nobody knows
    const char *record;           // one JSON object, or ""; given where it says so
    const char *log;              // of its messages; NULL: none. Taken with a result, never given
};

// What an organiser has decided.
struct decision {
    int64_t at_us; // since 1970
    const char *kind, *subject, *why;
    int stage, round; // the first round that is planned after it
    const char *by;   // who has decided; NULL, "": it is not known
};

// A file of SQLite, made if it is not there, or postgresql://... Brings an older schema up to date.
struct store *store_open(const char *where, struct err *err);
// The same, or with a store that is there alone: none is made, and one that nobody may write to can
// be read. The ear (or NULL) hears what is waited for.
struct store *store_reach(const char *where, bool make, const struct store_ear *ear,
                          struct err *err);
void store_close(struct store *store);
// Who sees to it that it hands over what was written, in words; NULL: nobody does, it is a file of
// an earlier version.
const char *store_vouch(const struct store *store);
// Looks through the whole of it, and adds to `findings` what is wrong with it by itself: parts that
// do not fit together, files that are not what their checksums say, tables that are not those of
// the games. Nothing is added if all is well.
bool store_check(struct store *store, struct buf *findings, struct err *err);

// The file a contest was begun with. Begins it if there is none; `same` says if it is still so.
bool store_begin(struct store *store, const char *contest, const char *text, bool *same,
                 struct err *err);
// Its text, if there is such a contest.
bool store_text(struct store *store, const char *contest,
                void (*found)(void *owner, const char *text), void *owner, struct err *err);
// The names of all.
bool store_contests(struct store *store, void (*each)(void *owner, const char *contest),
                    void *owner, struct err *err);
// The clock of the store, since 1970, which all who share it agree on.
bool store_now(struct store *store, int64_t *now_us, struct err *err);
// Adds games that wait to be played; one that is known by its name is passed over. Adds none if
// there are other than so many decisions, because they were planned without knowing all.
bool store_add(struct store *store, const char *contest, const struct stored_game *games, int count,
               int decisions, struct err *err);
// Who wants a game: the worker, a home that the game may have, the time now, and until when it is
// the worker's.
struct worker_claim {
    const char *worker, *home;
    int64_t now_us, until_us;
};

// Gives the worker the next game: one that waits, or whose worker's time is over, and that has this
// home or none. `taken` gets it, if there is one.
bool store_claim(struct store *store, const char *contest, const struct worker_claim *claim,
                 void (*taken)(void *owner, const struct stored_game *game), void *owner,
                 struct err *err);
// The worker is still at it. Says in `ours` if the game is still its own.
bool store_renew(struct store *store, const char *contest, int64_t number,
                 const struct worker_claim *claim, bool *ours, struct err *err);
// The worker has played it. Not counted, and `ours` false, if it is not his any more.
bool store_finish(struct store *store, const char *contest, const struct stored_game *game,
                  bool *ours, struct err *err);
// A fault of the platform has ended a game of the worker's: it is annulled, its record stays, and
// it waits to be played again, unless that has happened `most` times with it. Nothing is done if it
// is not the worker's any more.
enum broken_off { BROKEN_OFF_NOT_OURS, BROKEN_OFF_AGAIN, BROKEN_OFF_FOR_GOOD };
bool store_break_off(struct store *store, const char *contest, const struct stored_game *game,
                     int most, enum broken_off *how, struct err *err);
// The worker gives it back, to be played by somebody.
bool store_release(struct store *store, const char *contest, int64_t number, const char *worker,
                   struct err *err);
// The same with all that a worker has; for one that is no more.
bool store_release_all(struct store *store, const char *contest, const char *worker,
                       struct err *err);
// A game that waits is decided without being played.
bool store_award(struct store *store, const char *contest, int64_t number, int winner,
                 const char *verdict, struct err *err);
// How many games there are in each state but GAME_DONE, which is not counted: they may be many.
bool store_count(struct store *store, const char *contest, int64_t counts[static GAME_STATE_COUNT],
                 struct err *err);
// The workers that have games in play.
bool store_workers(struct store *store, const char *contest,
                   void (*each)(void *owner, const char *worker), void *owner, struct err *err);
// How often each pair had each result in a stage, over the games that are done: `each` gets what is
// equal in all of them, the scores added up.
bool store_results(struct store *store, const char *contest, int stage,
                   void (*each)(void *owner, const struct stored_game *sum, int64_t count),
                   void *owner, struct err *err);
// All games in the order of their numbers; with records only if asked for.
bool store_games(struct store *store, const char *contest, bool with_records,
                 void (*each)(void *owner, const struct stored_game *game), void *owner,
                 struct err *err);
// The record of a game, if it has one.
bool store_record(struct store *store, const char *contest, int64_t number,
                  void (*found)(void *owner, const char *text), void *owner, struct err *err);
// The log of a game, if it has one.
bool store_log(struct store *store, const char *contest, int64_t number,
               void (*found)(void *owner, const char *text), void *owner, struct err *err);
// Annuls a game that is done, or sets it back to be played again, and keeps the decision.
bool store_annul(struct store *store, const char *contest, int64_t number, bool again,
                 const struct decision *decision, struct err *err);
// Takes that back: the game counts again, and a later attempt at it that was to be played is not
// any more. Not where that has begun, nor a game that the platform broke off.
bool store_restore(struct store *store, const char *contest, int64_t number,
                   const struct decision *decision, struct err *err);
// A player who had left comes back: the games that were awarded without being played wait again.
bool store_readmit(struct store *store, const char *contest, int player,
                   const struct decision *decision, struct err *err);
// Keeps a decision, and with it which round comes next.
bool store_decide(struct store *store, const char *contest, const struct decision *decision,
                  struct err *err);
int64_t store_decision_count(struct store *store, const char *contest, struct err *err);
bool store_decisions(struct store *store, const char *contest,
                     void (*each)(void *owner, const struct decision *decision), void *owner,
                     struct err *err);
// Files kept by their checksum.
bool store_put_file(struct store *store, const char *digest, const void *bytes, size_t size,
                    struct err *err);
bool store_get_file(struct store *store, const char *digest,
                    void (*found)(void *owner, const void *bytes, size_t size), void *owner,
                    struct err *err);
// The folder of a player's files, by its checksum. The first stays; `same` says if it is this.
bool store_put_folder(struct store *store, const char *contest, int player, const char *digest,
                      bool *same, struct err *err);
bool store_folders(struct store *store, const char *contest,
                   void (*each)(void *owner, int player, const char *digest), void *owner,
                   struct err *err);
// How fast a worker's machine is.
bool store_note_worker(struct store *store, const char *worker, int64_t speed, int64_t now_us,
                       struct err *err);
// Keeps a game outside contests by a name: what a list shows of it, and its record. The last stays.
bool store_keep(struct store *store, const char *id, int64_t at_us, const char *summary,
                const char *record, struct err *err);
// And what an engine thinks of it.
bool store_keep_study(struct store *store, const char *id, const char *study, struct err *err);
// A game that is kept, if there is one; its study is "" if there is none.
bool store_kept(struct store *store, const char *id,
                void (*found)(void *owner, const char *record, const char *study), void *owner,
                struct err *err);
// Those that come after one in the order of store_kept_newest: at most so many.
struct kept_place {
    int64_t at_us;
    const char *id;
    int most;
};
bool store_kept_after(struct store *store, const struct kept_place *place,
                      void (*each)(void *owner, const char *id, int64_t at_us, const char *summary),
                      void *owner, struct err *err);
// The last of them, newest first.
bool store_kept_newest(struct store *store, int most,
                       void (*each)(void *owner, const char *summary), void *owner,
                       struct err *err);
