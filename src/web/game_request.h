// SPDX-License-Identifier: MIT
// What a game shall be, read from the JSON of the page (docs/api.md, POST /api/games).
#pragma once

#include "base/json.h"
#include "referee/sitting.h"
#include "web/seat.h"
#include "web/services.h"

// Freed by game_request_done, also after an error. It stays where it was read: the sitting borrows
// its players.
struct game_request {
    const struct game *game;
    struct seat seat[2]; // black, white
    struct sitting_config sitting;
    json_t *opening;      // moves that it begins with; NULL: none
    int tally[2], number; // of the games before it in its series, by the colours of this one
};

// A visitor's, made without the key, is held to what does not burden the machine: people and
// built-in players, who think briefly and only where nobody else wants the core.
bool game_request_read(struct game_request *request, const struct services *services,
                       const json_t *plan, bool of_visitor, struct err *err);
bool game_request_has_engine(const struct game_request *request);
void game_request_done(struct game_request *request);
// Sets rules from an object of texts; `blocks` may be random.
bool game_request_set_rules(struct ruleset *rules, struct conditions *conditions,
                            const json_t *settings, struct err *err);
