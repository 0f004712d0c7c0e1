// SPDX-License-Identifier: MIT
// Where teams hand in their players. Each submission is worked on in a process of its own: made
// (submit/submit.h), and then it plays a test game against `easy`. The last good one of a team
// counts. Nothing here waits; the owner watches submissions_fd by whatever loop he has and calls
// submissions_work when it can be read. Who may hand in for which team is the owner's affair.
//
// A team may also try its players out: games of what was made of its submissions, against another
// of them or a built-in player. They are played in the same way, where no submission waits.
//
// Below `home` every team has a folder: `3` is what was made of its third submission, `3.json` what
// was found (submissions_report), `3.log` what building it printed, `good` holds the number of the
// one that counts, and `tries` its try-outs (tryouts.h).
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "contest/plan/plan.h"
#include "submit/submit.h"

struct submissions;

enum { TEAM_NAME_MAX = 64, TRYOUT_LEVEL_MAX = 24 };

// A try-out that is asked for.
struct tryout_wish {
    int submission, against;      // their numbers; against 0:
    char level[TRYOUT_LEVEL_MAX]; // this built-in player, such as "builtin:easy"
    int colour;                   // of the submission: 1 or 2
};

// How many are worked on at once by all who share it; its owner's memory.
struct submissions_room {
    int most, taken;
};

struct submissions_options {
    const char *home;      // is made if it is not there
    const char *program;   // of the built-in players: this one
    const struct box *box; // in which they are built and play; borrowed; NULL: none
    const struct embed *kits;
    const struct ruleset *rules;
    const struct player_limits
        *player_limits;                  // of the test game: memory, pondering, time to start,
    const struct conditions *conditions; // and its time
    const char *opponent;                // NULL: "builtin:easy"
    struct submit_limits limits;
    const struct submit_rules *takes; // what is taken; NULL: anything
    int at_once, keep;             // submissions worked on at once; of every team so many are kept
    struct submissions_room *room; // borrowed; NULL: it is shared with nobody
};

// What is handed over is valid until the callback returns.
struct submissions_events {
    void (*log)(void *owner, const char *team, int number, const char *words, size_t length);
    void (*made)(void *owner, const char *team, int number); // the test game begins
    void (*moved)(void *owner, const char *team, int number, int ply, const char *move);
    // The report: {"team", "number", "finding": word, "text", "kind", "start", "seconds", "box",
    // "game": the record of the test game or null, "counts": bool}.
    void (*ended)(void *owner, const char *team, int number, const json_t *report);
    // The same of try-outs, which have numbers of their own. The report: {"number", "submission",
    // "against", "level", "colour", "seconds", "game"}, and "error" if it was not played; NULL if
    // it was broken off, and there is nothing of it.
    void (*try_began)(void *owner, const char *team, int number, const struct tryout_wish *wish);
    void (*try_moved)(void *owner, const char *team, int number, int ply, const char *move);
    void (*try_ended)(void *owner, const char *team, int number, const json_t *report);
};

struct submissions *submissions_new(const struct submissions_options *options,
                                    const struct submissions_events *events, void *owner,
                                    struct err *err);
int submissions_fd(const struct submissions *submissions);
void submissions_work(struct submissions *submissions);
// Begins what waits, as far as there is room: now and then, where the room is shared.
void submissions_begin(struct submissions *submissions);
// Takes an archive; its number, or 0 with what is wrong: too large, or the team has one under way,
// or its name is none (letters, digits, blanks, '-', '_', '.', not first). One that is late is made
// and tried like any other, but does not count, and its report says so ("late": true).
int submissions_take(struct submissions *submissions, const char *team, const void *archive,
                     size_t size, bool late, struct err *err);
// The same for an archive or a folder that lies on the disk.
int submissions_take_path(struct submissions *submissions, const char *team, const char *path,
                          struct err *err);
// The submission of a team that is worked on or waits; 0: none.
int submissions_busy(const struct submissions *submissions, const char *team);
bool submissions_waits(const struct submissions *submissions,
                       const char *team); // it is not begun yet
// A report of the past; NULL: there is none. Freed by the caller. And what building printed.
json_t *submissions_report(const struct submissions *submissions, const char *team, int number);
bool submissions_log(const struct submissions *submissions, const char *team, int number,
                     struct buf *out);
// What was said in its test game (referee/log.h), in which it was black.
bool submissions_messages(const struct submissions *submissions, const char *team, int number,
                          struct buf *out);
int submissions_last(const struct submissions *submissions, const char *team);
// The one that counts: its number, folder and PLAYER (to be started in that folder); 0: none.
int submissions_good(const struct submissions *submissions, const char *team, struct buf *folder,
                     struct buf *start);
// Why the last one of a team does not count, in one line; false if it has handed in nothing.
bool submissions_put_trouble(const struct submissions *submissions, const char *team,
                             struct buf *out);
bool submissions_rest(const struct submissions *submissions); // none is worked on or waits

// Begins a try-out, or lets it wait until there is room; its number, or 0 with what is wrong: the
// team has one under way, or such a submission was not made or is not kept.
int submissions_try(struct submissions *submissions, const char *team,
                    const struct tryout_wish *wish, struct err *err);
// The try-out of a team that is played or waits; 0: none.
int submissions_trying(const struct submissions *submissions, const char *team);
void submissions_break_off_tries(struct submissions *submissions); // nothing is kept of them
// Of those of the past: the last number, a report (NULL: there is none; freed by the caller), and
// what was said.
int submissions_last_tryout(const struct submissions *submissions, const char *team);
json_t *submissions_tryout(const struct submissions *submissions, const char *team, int number);
bool submissions_tryout_messages(const struct submissions *submissions, const char *team,
                                 int number, struct buf *out);
// Whether a submission was made into a player, and it is kept.
bool submissions_can_play(const struct submissions *submissions, const char *team, int number);
// Ends at once all that is worked on or waits: it does not count, and its report says so.
void submissions_break_off(struct submissions *submissions);
// The same, and nobody is told; but archives that were taken stay for submissions_recover.
void submissions_free(struct submissions *submissions);
// What those who are no more have left below `home`, however they ended: archives without a report
// are worked on, from their beginning; what else has no report gets one that says it was broken
// off, and what it left on the way is removed. Before anything is taken; nobody else may work
// there.
void submissions_recover(struct submissions *submissions);
