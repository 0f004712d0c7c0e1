// SPDX-License-Identifier: MIT
// A game of a contest as it is shown: told of by who plays it, in the form of a game of practice.
#pragma once

#include "base/json.h"
#include "games/game.h"
#include "web/live.h"
#include "web/practice.h"

struct show {
    struct show *next;
    char id[PRACTICE_ID_MAX], contest_id[PRACTICE_ID_MAX]; // of the game and of its contest
    json_int_t number;
    const struct game *game;
    char *contest_name;
    json_t *told; // what was told when it began
    json_t *moves, *ms;
    union game_state state;
    bool broken;      // a move was told that the rules refuse
    int64_t since_us; // the last move, or its end
    json_t *result;
    struct topic topic;
};

struct show *show_new(const char *contest_id, const char *contest_name, const struct game *game,
                      const json_t *began);
// Gives it an id of its own, before anybody has heard of it.
void show_rename(struct show *show, const char *id);
void show_move(struct show *show, const json_t *moved, const struct live *live);
void show_end(struct show *show, const json_t *record, const struct live *live);
// The record of its game as everybody may see it, to be freed.
json_t *show_record(const struct show *show, const json_t *record);
json_t *show_json(const struct show *show);
json_t *show_summary(const struct show *show);
// Takes it out of a list and frees it.
void show_remove(struct show **list, struct show *show, const struct live *live);
