// SPDX-License-Identifier: MIT
// A game as one JSON object: what `match --json` prints, and with more fields what is kept.
#pragma once

#include "base/json.h"
#include "referee/conditions.h"
#include "referee/match.h"

// What a match does not know of its game.
struct record_info {
    const char *players[2]; // as typed, black first
    const char *names[2];   // as they call themselves
    uint64_t seed;
    int number;                          // of the game in its series, from 1
    bool swap;                           // two games in a row were drawn as one
    const struct conditions *conditions; // what was drawn from
};

// The caller frees the object.
json_t *record_make(const struct match *match, const struct match_config *config,
                    const struct record_info *info);
// The fields that `match --json` promises, in their order, of a record.
json_t *record_public(const json_t *record);

// Puts the sum over all other fields last. It finds lines that were changed by accident or by hand;
// whoever knows how it is made can make another.
void record_seal(json_t *record);
// Whether the sum is right.
bool record_is_sealed(const json_t *record);
