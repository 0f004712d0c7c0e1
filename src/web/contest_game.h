// SPDX-License-Identifier: MIT
// A game of a contest, shown as it is told of by who plays it.
#pragma once

#include "games/game.h"
#include "web/shown_game.h"

struct contest_game {
    struct contest_game *next;
    struct shown_game shown;
    json_int_t number;
    const struct game *game;
    union game_state state;
    bool broken; // a move was told that the rules refuse
};

// `began` is what was told when it began. Its id is made of the contest's and its number.
struct contest_game *contest_game_new(struct live *live, const char *contest_id,
                                      const char *contest_name, const struct game *game,
                                      const json_t *began);
// What its players call themselves: {"names", "departments"}.
void contest_game_name(struct contest_game *game, const json_t *told);
void contest_game_move(struct contest_game *game, const json_t *moved);
void contest_game_end(struct contest_game *game, const json_t *record);
// The record of a game of a contest as everybody may see it, to be freed.
json_t *contest_game_record(const json_t *record);
// Takes it out of a list and frees it.
void contest_game_remove(struct contest_game **list, struct contest_game *game);
