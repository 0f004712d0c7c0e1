// SPDX-License-Identifier: MIT
// One game of a contest, played in a process of its own. The process writes lines of JSON:
// {"names":[..],"departments":[..]} once both players are there, if they say so,
// {"moved":"..","ply":N} for every move and {"team":N,"port":P} for every team that is to be sent
// on to that port of this machine, if asked to, and last
// {"record":{..},"begin_us":N,"start_us":N, "play_us":N}, {"error":".."}, or {"rules_failed":".."}
// if the rules of the game came as a folder and brought it down. If it ends without such a line,
// the game has not been played.
#pragma once

#include "contest/job.h"
#include "contest/player_files.h"

struct play_job {
    const struct plan *plan;
    const struct stored_game *game; // its worker and speed are those of who plays it
    struct player_files files[2];   // of black and white
    const char *program;            // of the built-in players: this one
    const struct box *box;          // in which the others run; NULL: none
    int place, cores;               // which cores it gets
    bool alone;                     // no other game is played here at the same time
    bool live;                      // tell of every move
    bool lent; // somebody else has the judge's port, and sends teams on that come by themselves
};

// The life of that process, after the fork: writes to `out`, and ends. SIGINT and SIGTERM, which
// are held before, end it early.
_Noreturn void play_game(const struct play_job *job, int out);
