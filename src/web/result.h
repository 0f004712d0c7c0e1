// SPDX-License-Identifier: MIT
// How a game ended, as the page shows it.
#pragma once

#include "base/json.h"

// From a record: winner, scores, reason, verdict; with the time that was used if it is for a late
// answer.
json_t *result_json(const json_t *record);
// The whole of a game that is over, as a game of practice would show it.
json_t *result_game(const char *id, const json_t *record);
