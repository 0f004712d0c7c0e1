// SPDX-License-Identifier: MIT
// A game as one JSON object: what `match --json` prints, and with more fields what is kept.
#pragma once

#include "base/json.h"
#include "referee/conditions.h"
#include "referee/match.h"
#include "referee/player_limits.h"

// What a match does not know of its game.
struct record_info {
    const char *players[2];     // as typed, black first
    const char *names[2];       // as they call themselves
    const char *departments[2]; // where they are from; NULL or "": they have not said
    uint64_t seed;
    int number;                          // of the game in its series, from 1
    bool swap;                           // two games in a row were drawn as one
    const struct conditions *conditions; // what was drawn from
    const struct player_limits *limits;  // how the players were kept
    int64_t ponder_us[2];  // used in the other's turns, if that was measured; -1: not known
    struct usage usage[2]; // of boxed players
};

// The caller frees the object.
json_t *record_make(const struct match *match, const struct match_config *config,
                    const struct record_info *info);
// What there is to tell of a player, 0 or 1, that has used CPU time while it was frozen; false:
// nothing.
bool record_frozen_words(const struct record_info *info, int seat, struct buf *words);
// Whether a fault of the platform has ended it, and what that was; else NULL.
const char *record_platform_fault(const json_t *record);
int record_platform_player(const json_t *record); // whom it has befallen
// All that was noted so far, a list as a record has it.
json_t *record_faults(const struct match *match);
// The rules that are not at their standard value, as an object of texts.
json_t *record_rules(const struct ruleset *rules);
// The fields that `match --json` promises, in their order, of a record.
json_t *record_public(const json_t *record);

// A record as the line that is kept, without its end; freed by the caller. Behind all fields it has
// a sum over them, which finds lines that were changed by accident or by hand; whoever knows how it
// is made can make another.
char *record_line(const json_t *record);
// Whether the sum of a record that was read is right.
bool record_is_whole(const json_t *record);
