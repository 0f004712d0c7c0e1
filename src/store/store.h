// SPDX-License-Identifier: MIT
// What is remembered of contests: SQLite in a file, or PostgreSQL where workers sit on several
// machines. One function per question; every change is one transaction, kept when it returns true.
// Texts handed to a callback are valid until it returns; what a function takes it copies.
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

#define GAME_STATES(X)                                                                             \
    X(WAITING, "waiting")                                                                          \
    X(PLAYING, "playing")                                                                          \
    X(DONE, "done")                                                                                \
    X(ANNULLED, "annulled")

enum game_state {
#define GAME_STATE_CONSTANT(id, word) GAME_##id,
    GAME_STATES(GAME_STATE_CONSTANT)
#undef GAME_STATE_CONSTANT
};

// A game of a contest. Stage, round, table, leg and attempt name it for good; the number is the
// order in which games were thought of.
struct stored_game {
    int64_t number;
    int stage, round, table; // the meeting
    int leg, attempt;        // the game of the meeting, and which try at it
    int black, white;        // places in the field
    enum game_state state;
    int tries;  // how often it was begun
    int winner; // 1 or 2, 0 drawn; once it is done
    int scores[2];
    int plies;
    const char *reason, *verdict; // words, or ""
    const char *worker;           // who plays or has played it, or ""
    const char *record;           // one JSON object, or ""; given where it says so
};

// What an organiser has decided.
struct decision {
    int64_t at_us; // since 1970
    const char *kind, *subject, *why;
};

// A file of SQLite, made if it is not there, or postgresql://... Brings an older schema up to date.
struct store *store_open(const char *where, struct err *err);
void store_close(struct store *store);

// The file a contest was begun with. Begins it if there is none; `same` says if it is still so.
bool store_begin(struct store *store, const char *contest, const char *text, bool *same,
                 struct err *err);
// Adds games that wait to be played; one that is known by its name is passed over.
bool store_add(struct store *store, const char *contest, const struct stored_game *games, int count,
               struct err *err);
// Gives the worker the next game: one that waits, or whose worker's time is over. `taken` gets it,
// if there is one.
bool store_claim(struct store *store, const char *contest, const char *worker, int64_t now_us,
                 int64_t until_us, void (*taken)(void *owner, const struct stored_game *game),
                 void *owner, struct err *err);
// The worker is still at it. Says in `ours` if the game is still his.
bool store_renew(struct store *store, const char *contest, int64_t number, const char *worker,
                 int64_t until_us, bool *ours, struct err *err);
// The worker has played it. Not counted, and `ours` false, if it is not his any more.
bool store_finish(struct store *store, const char *contest, const struct stored_game *game,
                  bool *ours, struct err *err);
// All games in the order of their numbers; with records only if asked for.
bool store_games(struct store *store, const char *contest, bool with_records,
                 void (*each)(void *owner, const struct stored_game *game), void *owner,
                 struct err *err);
// Annuls a game that is done, or sets it back to be played again, and keeps the decision.
bool store_annul(struct store *store, const char *contest, int64_t number, bool again,
                 const struct decision *decision, struct err *err);
bool store_decide(struct store *store, const char *contest, const struct decision *decision,
                  struct err *err);
bool store_decisions(struct store *store, const char *contest,
                     void (*each)(void *owner, const struct decision *decision), void *owner,
                     struct err *err);
// Files kept by their checksum.
bool store_put_file(struct store *store, const char *digest, const void *bytes, size_t size,
                    struct err *err);
bool store_get_file(struct store *store, const char *digest,
                    void (*found)(void *owner, const void *bytes, size_t size), void *owner,
                    struct err *err);
// How fast a worker's machine is.
bool store_note_worker(struct store *store, const char *worker, int64_t speed, int64_t now_us,
                       struct err *err);
