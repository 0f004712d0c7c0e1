// SPDX-License-Identifier: MIT
// Where a contest stands, worked out from its games and the organiser's decisions alone: the
// meetings of each stage, the tables, and the games that shall be played next. A state owns all
// that it holds, and borrows its plan.
#pragma once

#include "contest/interned.h"
#include "contest/rating.h"
#include "contest/schedule/meeting.h"

struct stage_state {
    const struct plan_stage *stage;
    struct entrant *entrants;
    struct field field;
    int *players;               // of the field, as places in the contest's
    struct meetings meetings;   // between places of the field
    struct results results;     // between places of the contest's field
    struct standing *standings; // of the field, best first; `player` is a place in the contest's.
                                // As it stood when the stage was over: who left later is in it
    bool is_over;
};

struct likeness;

struct kept_decision {
    int64_t at_us;
    char *kind, *subject, *why, *by;
    int stage, round;
};

struct state {
    const struct plan *plan;
    struct stored_game *games; // by name: stage, round, table, leg, attempt; without records
    int *weights; // by game: for how many it stands, the scores added up; NULL: each for itself
    int game_count, counts[GAME_STATE_COUNT];
    int placed; // games that belong to a meeting; all, unless decisions were made too late
    struct kept_decision *decisions;
    int decision_count;
    const char **left; // by player: "withdrawn" or "disqualified"; NULL: he is in
    int *left_stage;   // by player: the stage in which he left, or STAGES_MAX
    bool *disqualified;
    struct stage_state stages[STAGES_MAX];
    int begun; // stages
    bool is_over;
    struct wanted wanted;
    int expected;                    // games in all, as far as can be said
    struct interned words;           // texts that the games share
    const struct likeness *likeness; // who has code in common; set by others, borrowed; NULL
};

// Was the contest begun with this very file, if it was begun? Its games name players by their
// places there.
bool state_is_of(const struct plan *plan, struct store *store, struct err *err);
// Reads it from the store; NULL with an error.
struct state *state_load(const struct plan *plan, struct store *store, struct err *err);
// The same as far as tables show it, which is read much faster where there are many games: these
// may stand for several that ended alike. Meetings are left out.
struct state *state_load_tables(const struct plan *plan, struct store *store, struct err *err);
// What the organiser is about to decide.
struct imagined {
    int64_t number;         // of a game that is in another state then; 0: none
    enum stored_state as;   // which; GAME_DONE: without a later attempt at it
    const char *readmitted; // a player who comes back; NULL: none
};
// As state_load, if that were decided.
struct state *state_imagine(const struct plan *plan, struct store *store,
                            const struct imagined *imagined, struct err *err);
// Whether a decision has sent a player off.
bool decision_sends_off(const struct kept_decision *decision);
void state_free(struct state *state);
// The whole field in order: of the last stage first, then those who were left behind. Fills in a
// standing for each player; returns how many there are.
int state_overall(const struct state *state, struct standing *standings);
// Whether a drawn game (one of the state's own) was decided by games against the house; `winner` is
// then who did better there, or NOBODY.
bool state_house(const struct state *state, const struct stored_game *game, int *winner);
// All games that were played between players and count, for ratings. Freed by the caller.
struct results state_games(const struct state *state);
