// SPDX-License-Identifier: MIT
// What a game shall be, read from the JSON of the page into a game of practice.
#pragma once

#include "web/practice.h"

// Fills game, seats, conditions and config of a game of practice; false says what is wrong.
bool game_request_read(struct practice *practice, const json_t *plan, struct err *err);
// The settings that are not at their standard value, as an object of texts.
json_t *game_request_settings(const struct ruleset *rules);
// Sets rules from an object of texts; `blocks` may be random.
bool game_request_set_rules(struct ruleset *rules, struct conditions *conditions,
                            const json_t *settings, struct err *err);
