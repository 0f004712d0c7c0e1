// SPDX-License-Identifier: MIT
// A built-in player as a contestant: what it has whatever it speaks. The files bot_*.c speak.
#pragma once

#include "base/buf.h"
#include "base/builtin.h"
#include "base/rungs.h"
#include "cli/setup.h"

struct bot {
    const struct game *game;
    struct builtin told;
    struct rung rung; // of its level
    uint64_t seed;
    int64_t time_us;      // for every answer, whatever the judge says; 0: as it says
    int64_t slow_us;      // an answer takes so long at least, for people to follow
    const char *host;     // of the judge; stcp alone, as the following
    int port;             //
    int32_t team;         //
    int64_t wait_us;      // how long to try to reach it
    int64_t asked_us;     // when the request at hand came
    struct ruleset rules; // that the brain is for
    struct brain *brain;  // or NULL
    struct err untaught;  // why it does not use what was learned, until that is said
};

// Gets ready for games under these rules, if it is not.
void bot_prepare(struct bot *bot, const struct ruleset *rules);
// Chooses the moves due, plays them on the state and writes them, separated by `between`. The judge
// gives so much time for all of them, from `asked_us` on; 0: it does not say.
void bot_play(struct bot *bot, void *state, int due, int64_t judged_us, const char *between,
              struct buf *out);
// What it calls itself.
void bot_name(const struct bot *bot, struct buf *out);

// Play until they are told to leave; false with an error if they cannot go on.
bool bot_abp(struct bot *bot, struct err *err);     // docs/protocol.md, D
bool bot_sixline(struct bot *bot, struct err *err); // B
bool bot_stcp(struct bot *bot, struct err *err);    // A
