// SPDX-License-Identifier: MIT
// What a game shall be, read from the JSON of the page into a room.
#pragma once

#include "web/room.h"

// Fills game, seats, conditions and config of a room; false says what is wrong.
bool wish_read(struct room *room, const json_t *plan, struct err *err);
// The settings that are not at their standard value, as an object of texts.
json_t *wish_settings(const struct ruleset *rules);
// Sets rules from an object of texts; `blocks` may be random.
bool wish_set_rules(struct ruleset *rules, struct conditions *conditions, const json_t *settings,
                    struct err *err);
