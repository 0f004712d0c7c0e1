// SPDX-License-Identifier: MIT
// One game between two players, as a pure state machine: events with a time go in, actions come
// out. It has no file descriptor and reads no clock. A match borrows its two wires, which may
// outlive it; bytes of an action are valid until the next event. Who has no wire is a person.
#pragma once

#include "referee/actions.h"
#include "referee/sheet.h"
#include "wire/wire.h"

struct match_config {
    struct ruleset rules;
    struct penalties penalties;
    int64_t time_us;       // of a turn; 0: no limit
    int64_t start_us[2];   // from the start until each player is ready
    int64_t grace_us;      // added to every limit, not told to players
    const char *opening;   // moves separated by ';' to begin with, or NULL
    bool untimed[2];       // a person: no limit for his turns; his first has none in any case
    bool ours[2];          // a built-in player
    uint32_t seed[2];      // told to each player, for what it draws at random; 0: none
    bool freeze;           // players are held while it is not their turn
    int number;            // of the game in its series, for the log
    const char *absent[2]; // why a player cannot be started; NULL: it can
};

struct match *match_new(const struct match_config *config, struct wire *black, struct wire *white);
void match_free(struct match *m);

// Events. `cpu_us` is the CPU time of the player's process so far, or -1. Somebody may join before
// the start, from when on the time to get ready runs.
void match_start(struct match *m, int64_t now_us);
void match_joined(struct match *m, int player, int64_t now_us); // it can be reached, or again
void match_sent(struct match *m, int player, int64_t now_us, int64_t cpu_us);
void match_bytes(struct match *m, int player, const char *bytes, size_t length, int64_t now_us,
                 int64_t cpu_us);
// A person's whole turn, moves separated by ';', when it is the one who is to move.
void match_play(struct match *m, int player, const char *moves, int64_t now_us);
// What is known of a player besides, to stand behind the evidence if it is gone, refused or not
// ready.
void match_remark(struct match *m, int player, const char *words);
void match_gone(struct match *m, int player, const struct departure *how, int64_t now_us);
// Before match_deadline, while players get ready: what there is to say for one of them, who has
// used so much CPU time since the start; -1: not known.
void match_excuse_start(struct match *m, int player, const struct lateness *lateness,
                        int64_t cpu_us);
void match_deadline(struct match *m, const struct lateness *lateness, int64_t now_us,
                    int64_t cpu_us);
// Before match_bytes, where bytes are read when a deadline has passed that was not told yet: they
// may have come before, while the referee slept. Without it they are late.
void match_excuse(struct match *m, const struct lateness *lateness);
void match_abort(struct match *m, const char *why);
// A person gives the game up, whoever is to move; two persons agree to a draw.
void match_resign(struct match *m, int player);
void match_agree(struct match *m);
// The next action, or false when all are done.
bool match_next(struct match *m, struct action *action);

// What is known of the game so far, and when it is over how it ended.
bool match_is_over(const struct match *m);
const void *match_state(const struct match *m);
int match_awaits(const struct match *m);    // whose answer is due; 0: nobody's
bool match_is_timed(const struct match *m); // the turn of whoever is awaited has a limit
// Whether an answer that is read now would be too late, by all that was said for it.
bool match_is_overdue(const struct match *m, int64_t now_us);
int match_winner(const struct match *m); // 0: a draw, or nobody
const char *match_reason(const struct match *m);
enum finish match_finish(const struct match *m);
// Of a game that a fault of the platform has ended: what it was, and whom it befell. Else NULL.
const char *match_platform_fault(const struct match *m, int *player);
const struct fault *
match_verdict(const struct match *m); // what decided it, or the first; NULL: none
int match_faults(const struct match *m, const struct fault **faults);
int match_moves(const struct match *m, const struct match_move **moves, const char **text);
int match_opening(const struct match *m); // how many of them the opening had
const char *match_move_text(const struct match *m, int ply, char text[static MOVE_TEXT_MAX]);
