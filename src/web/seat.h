// SPDX-License-Identifier: MIT
// Who sits where, as the page says it: `human`, `random`, `builtin[:LEVEL]`, `own:NAME` for a
// player in the players folder, `tcp:TEAM` for a team that has connected. What starts a program of
// the folder is found here, so that no path comes from outside.
#pragma once

#include "base/embed.h"
#include "base/err.h"
#include "base/json.h"
#include "referee/player.h"

enum { SEAT_TEXT_MAX = 300, SEAT_NAME_MAX = 200, SEAT_NAME_LETTERS = 63 };

struct seat {
    char text[SEAT_TEXT_MAX]; // as the page says it
    char name[SEAT_NAME_MAX]; // of a person, or as the program calls itself; "" if it does not
    char department[SEAT_NAME_MAX]; // of a program that has told it
    char *argument;                 // as on the command line; owned
    struct player player;
};

// Takes a seat, but for the name, or says why not. `folder` holds the players, `program` is the
// path of this one.
bool seat_take(struct seat *seat, const char *text, const struct game *game, const char *folder,
               const char *program, struct err *err);
void seat_done(struct seat *seat);
bool seat_is_person(const struct seat *seat);
bool seat_is_builtin(const struct seat *seat);
// Whether a text names what visitors may seat, who start nothing of their own: a person, or a
// built-in player by its level alone.
bool seat_is_for_visitors(const char *text);

// Names it, and where it is from, with whole letters as far as there is room.
void seat_set_name(struct seat *seat, const char *name);
void seat_set_department(struct seat *seat, const char *department);
// The players of the folder: an array of {"name", "games": those that it could play, by what is
// seen of its files}.
json_t *seat_list(const char *folder, const struct embed *kits);
