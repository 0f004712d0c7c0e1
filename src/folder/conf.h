// SPDX-License-Identifier: MIT
// game.conf: what a folder says of its game beside the rules. Names and words in up to three
// languages, and the row of its contest; docs/adding-a-game.md lists the settings.
#pragma once

#include "base/json.h"
#include "base/settings.h"
#include "spec/spec.h"

// Zeroed by its owner; texts are borrowed from the file as it was read, which conf_done forgets.
struct conf {
    config_t file;
    bool is_read;
    const char *name;
    int cells;        // of the board, by the facts
    struct spec spec; // without the checksum; `game` is the name
};

// Reads a file. The facts of the game are filled in, and what the file says must fit to them.
bool conf_read(struct conf *conf, const char *path, const struct game *game, struct err *err);
// Only the name in it, cut to its room.
bool conf_read_name(const char *path, char *name, size_t size, struct err *err);
// What the page shows: {"title":{"en":..},"words":{..},"endings":{WORD:{..}},"says":[{..}],
// "switches":{KEY:{..}}}, each language that the file has.
json_t *conf_shown(const struct conf *conf);
void conf_done(struct conf *conf);
