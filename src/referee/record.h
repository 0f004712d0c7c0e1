// SPDX-License-Identifier: MIT
// A game as one JSON object: what `match --json` prints, and with more fields what is kept.
#pragma once

#include "base/json.h"
#include "referee/match.h"

// What a match does not know of its game.
struct record_info {
    const char *players[2]; // as typed, black first
    const char *names[2];   // as they call themselves
    uint64_t seed;
    int number; // of the game in its series, from 1
    int opening_plies;
};

// The caller frees the object.
json_t *record_make(const struct match *match, const struct match_config *config,
                    const struct record_info *info);
// The fields that `match --json` promises, in their order, of a record.
json_t *record_public(const json_t *record);

// Plays a record again and compares all it says; returns NULL, or what is wrong.
const char *record_check(const json_t *record, char why[static WHY_TEXT_MAX]);
// The ruleset a record was played under.
bool record_rules(const json_t *record, struct ruleset *rules, char why[static WHY_TEXT_MAX]);
